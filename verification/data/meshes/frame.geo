// A portal frame of 4 m by 2 m, a point every 0.5 m so that no coordinate is rounded. Written by
//   gmsh -1 frame.geo -format msh41 -o frame-41.msh       (msh22; -bin for the binary ones)
Point(1) = {0, 0, 0};
Point(2) = {0, 0, 2};
Point(3) = {4, 0, 2};
Point(4) = {4, 0, 0};
For i In {1:3}
  Point(4 + i) = {0, 0, 0.5 * i};
  Point(14 + i) = {4, 0, 2 - 0.5 * i};
EndFor
For i In {1:7}
  Point(7 + i) = {0.5 * i, 0, 2};
EndFor
Line(1) = {1, 5}; Line(2) = {5, 6}; Line(3) = {6, 7}; Line(4) = {7, 2};
Line(5) = {2, 8};
For i In {1:6}
  Line(5 + i) = {7 + i, 8 + i};
EndFor
Line(12) = {14, 3};
Line(13) = {3, 15}; Line(14) = {15, 16}; Line(15) = {16, 17}; Line(16) = {17, 4};
Transfinite Curve{1:16} = 2;
Physical Point("feet") = {1, 4};
Physical Point("corner") = {2};
Physical Curve("columns") = {1:4, 13:16};
Physical Curve("roof") = {5:12};
Physical Curve("all lines") = {1:16};
