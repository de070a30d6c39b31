// The structure in space by three.js: nodes, elements, supports and contacts; mode shapes and the motion, animated.

const kLineKinds = ["element", "spring", "dashpot", "beam"];

/** Displacements of the nodes: `at(time)` fills `u` (three numbers per node) with the motion, `shape(k)` with a mode. */
class Motion {
  constructor(nodes) {
    const motion = content.motion;
    this.u = new Float32Array(3 * nodes);
    this.nodes = nodes;
    this.time = motion ? arrayOf(motion.time) : [];
    if (!motion) return;
    if (motion.kind === "modal") {
      this.modes = arrayOf(motion.modes);
      this.shapes = arrayOf(motion.shapes);
      this.coordinates = arrayOf(motion.coordinates);
    } else {
      this.moved = arrayOf(motion.nodes);
      this.translations = arrayOf(motion.translations);
    }
  }
  get hasModes() { return Boolean(this.modes && this.modes.length); }
  get hasMotion() { return this.time.length > 1; }
  /** Number of an instant and share of the way to the next one. */
  place(time) {
    let low = 0, high = this.time.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle;
      else high = middle;
    }
    const length = this.time[high] - this.time[low];
    return [low, length > 0 ? Math.min(Math.max((time - this.time[low]) / length, 0), 1) : 0];
  }
  at(time) {
    const [row, share] = this.place(time), rows = this.time.length, size = 3 * this.nodes;
    this.u.fill(0);
    if (this.modes) {
      for (let k = 0; k < this.modes.length; ++k) {
        const q = this.coordinates[k * rows + row] * (1 - share) + this.coordinates[k * rows + row + 1] * share;
        if (q === 0) continue;
        for (let i = 0; i < size; ++i) this.u[i] += q * this.shapes[k * size + i];
      }
      return;
    }
    const count = this.moved.length;
    for (let j = 0; j < count; ++j)
      for (let c = 0; c < 3; ++c) {
        const here = 3 * (row * count + j) + c;
        this.u[3 * this.moved[j] + c] = this.translations[here] * (1 - share) + this.translations[here + 3 * count] * share;
      }
  }
  shape(k) {
    const size = 3 * this.nodes;
    this.u.set(this.shapes.subarray(k * size, (k + 1) * size));
  }
  largest() {
    let most = 0;
    for (let i = 0; i < this.u.length; i += 3) most = Math.max(most, Math.hypot(this.u[i], this.u[i + 1], this.u[i + 2]));
    return most;
  }
  /** The largest displacement of the drawn instants, from some of them. */
  largestMotion() {
    let most = 0;
    for (let k = 0; k <= 60; ++k) {
      this.at(this.time[0] + (this.time[this.time.length - 1] - this.time[0]) * k / 60);
      most = Math.max(most, this.largest());
    }
    return most;
  }
}

/** The scene: what is drawn, and how it follows displaced nodes. */
class StructureScene {
  constructor(size, bounds) {
    const model = content.model;
    this.positions = arrayOf(model.positions);
    this.placed = model.placed ? arrayOf(model.placed) : null;
    this.count = model.count;
    this.size = size;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(styleColour("panel"));
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 1.0));
    const light = new THREE.DirectionalLight(0xffffff, 0.45);
    light.position.set(1, -2, 3);
    this.scene.add(light);
    this.now = Float32Array.from(this.positions);
    this.addLines(model);
    this.addNodes();
    this.addSupports(model);
    this.addContacts(model);
    const axes = new THREE.AxesHelper(0.14 * size);
    axes.position.copy(bounds.min).addScalar(-0.1 * size);
    this.scene.add(axes);
    this.move(null, 0);
  }
  isPlaced(node) { return !this.placed || this.placed[node] !== 0; }
  point(node) { return new THREE.Vector3(this.now[3 * node], this.now[3 * node + 1], this.now[3 * node + 2]); }

  addLines(model) {
    const lines = arrayOf(model.lines), kinds = model.kinds ? arrayOf(model.kinds) : new Int8Array(lines.length / 2);
    const colours = [0, 1, 4, 0].map((i) => new THREE.Color(colourOf(i)));
    const radius = [0.004, 0.0025, 0.0025, 0.007].map((share) => share * this.size);
    this.lines = kLineKinds.map((_, kind) => {
      const pairs = [];
      for (let i = 0; i < kinds.length; ++i)
        if (kinds[i] === kind && this.isPlaced(lines[2 * i]) && this.isPlaced(lines[2 * i + 1])) pairs.push([lines[2 * i], lines[2 * i + 1]]);
      if (!pairs.length) return null;
      const mesh = new THREE.InstancedMesh(new THREE.CylinderBufferGeometry(radius[kind], radius[kind], 1, 8),
        new THREE.MeshLambertMaterial({ color: colours[kind] }), pairs.length);
      mesh.frustumCulled = false;
      this.scene.add(mesh);
      return { mesh, pairs };
    });
  }
  addNodes() {
    const radius = 0.011 * this.size / Math.max(1, Math.log10(Math.max(this.count, 1)));
    this.dots = new THREE.InstancedMesh(new THREE.SphereBufferGeometry(radius, 10, 8),
      new THREE.MeshLambertMaterial({ color: styleColour("text") }), this.count);
    this.dots.frustumCulled = false;
    this.scene.add(this.dots);
  }
  /** Supports: a box where all translations of a node are fixed, else a bar along each fixed one. */
  addSupports(model) {
    const length = 0.03 * this.size, places = []; // node, and extent of its box along x, y, z
    for (const [node, dofs] of model.supports) {
      if (!this.isPlaced(node)) continue;
      const axes = ["ux", "uy", "uz"].map((name) => dofs.split(" ").includes(name));
      if (axes.every(Boolean)) places.push([node, 1, 1, 1]);
      else axes.forEach((isFixed, c) => { if (isFixed) places.push([node, ...[0, 1, 2].map((k) => k === c ? 1.6 : 0.12)]); });
    }
    if (!places.length) return;
    const mesh = new THREE.InstancedMesh(new THREE.BoxBufferGeometry(length, length, length),
      new THREE.MeshLambertMaterial({ color: styleColour("muted") }), places.length);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
    this.supports = { mesh, places };
  }
  /** Contacts: an arrow along the normal and a ring in the plane of the tangents; of a curved obstacle, whose normal
      follows the node, a ring around its axis. */
  addContacts(model) {
    this.contacts = (model.contacts ?? []).slice(0, 200).filter((contact) => this.isPlaced(contact.node)).map((contact) => {
      const normal = new THREE.Vector3(...contact.axes.slice(...(contact.curved ? [6, 9] : [0, 3]))).normalize(), group = new THREE.Group();
      const length = 0.1 * this.size, material = new THREE.MeshLambertMaterial({ color: colourOf(2), side: THREE.DoubleSide });
      const shaft = new THREE.Mesh(new THREE.CylinderBufferGeometry(0.03 * length, 0.03 * length, 0.7 * length, 10), material);
      const tip = new THREE.Mesh(new THREE.ConeBufferGeometry(0.09 * length, 0.3 * length, 16), material);
      const disc = new THREE.Mesh(new THREE.RingBufferGeometry(0.24 * length, 0.32 * length, 32), material);
      shaft.position.y = -0.65 * length;
      tip.position.y = -0.15 * length;
      disc.rotation.x = Math.PI / 2;
      if (contact.curved) disc.scale.setScalar(1.8);
      group.add(...(contact.curved ? [disc] : [shaft, tip, disc]));
      if (contact.obstacle === "slot") // the opposite side holds too
        for (const part of [shaft, tip]) {
          const opposite = part.clone();
          opposite.position.y *= -1;
          opposite.rotation.x = Math.PI;
          group.add(opposite);
        }
      group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
      this.scene.add(group);
      return { contact, group, material };
    });
  }
  /** Puts everything where the nodes are: positions + scale * u. */
  move(u, scale) {
    for (let i = 0; i < this.now.length; ++i) this.now[i] = this.positions[i] + (u ? scale * u[i] : 0);
    const matrix = new THREE.Matrix4(), up = new THREE.Vector3(0, 1, 0), turn = new THREE.Quaternion(), stretch = new THREE.Vector3(1, 1, 1);
    for (const lines of this.lines) {
      if (!lines) continue;
      lines.pairs.forEach(([first, second], i) => {
        const a = this.point(first), b = this.point(second), along = b.clone().sub(a), length = along.length();
        turn.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
        lines.mesh.setMatrixAt(i, matrix.compose(a.add(b).multiplyScalar(0.5), turn, stretch.set(1, Math.max(length, 1e-12), 1)));
      });
      lines.mesh.instanceMatrix.needsUpdate = true;
    }
    for (let n = 0; n < this.count; ++n)
      this.dots.setMatrixAt(n, this.isPlaced(n) ? matrix.makeTranslation(...this.point(n).toArray()) : matrix.makeScale(0, 0, 0));
    this.dots.instanceMatrix.needsUpdate = true;
    if (this.supports) {
      this.supports.places.forEach(([node, ...extent], i) => {
        const p = this.point(node);
        this.supports.mesh.setMatrixAt(i, matrix.makeScale(...extent).setPosition(p.x, p.y, p.z));
      });
      this.supports.mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { contact, group } of this.contacts) group.position.copy(this.point(contact.node));
  }
  /** Colours the contacts by their states at an instant; by none for null. */
  showStates(time) {
    const known = content.runs.length ? content.runs[0].contacts : [];
    for (const { contact, material } of this.contacts) {
      const held = known.find((each) => each.name === contact.name.replace(/\//g, "_"));
      const state = time === null || !held ? null : stateAt(held.states, time);
      material.color.set(state === null ? colourOf(2) : { stick: "#56b4e9", slip: "#e69f00" }[state] ?? styleColour("muted"));
    }
  }
}

function stateAt(states, time) {
  if (!states) return null;
  const edges = arrayOf(states.edges), kinds = arrayOf(states.states);
  for (let i = 0; i < kinds.length; ++i) if (time >= edges[2 * i] && time <= edges[2 * i + 1]) return states.names[kinds[i]] ?? "several";
  return null;
}

function boundsOf(positions, placed) {
  const bounds = new THREE.Box3();
  for (let i = 0; i < positions.length; i += 3)
    if (!placed || placed[i / 3]) bounds.expandByPoint(new THREE.Vector3(positions[i], positions[i + 1], positions[i + 2]));
  return bounds;
}
