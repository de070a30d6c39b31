/* Writes frame.med, the frame of frame.geo, by libmed 4.1: cc frame-med.c -lmedC && ./a.out frame.med */
#include <med.h>
#include <stdio.h>
#include <string.h>

static void group(char* all, int i, const char* name) {
  memset(all + i * MED_LNAME_SIZE, 0, MED_LNAME_SIZE);
  strcpy(all + i * MED_LNAME_SIZE, name);
}

int main(int argc, char** argv) {
  double x[51];
  const double corners[4][3] = {{0, 0, 0}, {0, 0, 2}, {4, 0, 2}, {4, 0, 0}};
  memcpy(x, corners, sizeof corners);
  for (int i = 1; i <= 3; ++i) {
    const double left[3] = {0, 0, 0.5 * i}, right[3] = {4, 0, 2 - 0.5 * i};
    memcpy(x + 3 * (3 + i), left, sizeof left);
    memcpy(x + 3 * (13 + i), right, sizeof right);
  }
  for (int i = 1; i <= 7; ++i) {
    const double roof[3] = {0.5 * i, 0, 2};
    memcpy(x + 3 * (6 + i), roof, sizeof roof);
  }
  const med_int lines[32] = {1, 5, 5, 6, 6, 7, 7, 2,  2,  8,  8,  9,  9,  10, 10, 11,
                             11, 12, 12, 13, 13, 14, 14, 3, 3, 15, 15, 16, 16, 17, 17, 4};
  med_int ofLine[16], ofNode[17] = {0};
  for (int i = 0; i < 16; ++i) ofLine[i] = i < 4 || i >= 12 ? -1 : -2;
  ofNode[0] = ofNode[3] = 1;
  ofNode[1] = 2;
  const char mesh[MED_NAME_SIZE + 1] = "frame";
  const med_idt f = MEDfileOpen(argc > 1 ? argv[1] : "frame.med", MED_ACC_CREAT);
  char axes[3 * MED_SNAME_SIZE + 1] = "x               y               z               ";
  char units[3 * MED_SNAME_SIZE + 1] = "m               m               m               ";
  med_err e = MEDmeshCr(f, mesh, 3, 1, MED_UNSTRUCTURED_MESH, "a portal frame", "", MED_SORT_DTIT,
                        MED_CARTESIAN, axes, units);
  e |= MEDmeshNodeCoordinateWr(f, mesh, MED_NO_DT, MED_NO_IT, 0.0, MED_FULL_INTERLACE, 17, x);
  e |= MEDmeshElementConnectivityWr(f, mesh, MED_NO_DT, MED_NO_IT, 0.0, MED_CELL, MED_SEG2, MED_NODAL,
                                    MED_FULL_INTERLACE, 16, lines);
  char names[2 * MED_LNAME_SIZE + 1] = "";
  e |= MEDfamilyCr(f, mesh, "FAMILLE_ZERO", 0, 0, "");
  group(names, 0, "columns");
  group(names, 1, "all lines");
  e |= MEDfamilyCr(f, mesh, "F-1", -1, 2, names);
  group(names, 0, "roof");
  e |= MEDfamilyCr(f, mesh, "F-2", -2, 2, names);
  group(names, 0, "feet");
  e |= MEDfamilyCr(f, mesh, "F1", 1, 1, names);
  group(names, 0, "corner");
  e |= MEDfamilyCr(f, mesh, "F2", 2, 1, names);
  e |= MEDmeshEntityFamilyNumberWr(f, mesh, MED_NO_DT, MED_NO_IT, MED_CELL, MED_SEG2, 16, ofLine);
  e |= MEDmeshEntityFamilyNumberWr(f, mesh, MED_NO_DT, MED_NO_IT, MED_NODE, MED_NONE, 17, ofNode);
  e |= MEDfileClose(f);
  return e != 0;
}
