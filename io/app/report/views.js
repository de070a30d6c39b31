// The panel of the structure: what is shown of it, and from where.

/** Camera, controls and drawing of a scene on a canvas. */
class SceneView {
  constructor(place, scene, bounds, size) {
    this.scene = scene;
    this.size = size;
    this.bounds = bounds.clone().expandByScalar(0.13 * size); // axes, supports, rings and displacements stand out by an eighth
    this.centre = bounds.getCenter(new THREE.Vector3());
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The structure: arrows turn it, + and − zoom, space plays");
    place.append(this.canvas);
    this.place = place;
    this.camera = new THREE.PerspectiveCamera(35, 1, size * 1e-3, size * 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.enableKeys = false;
    this.controls.addEventListener("change", () => this.draw());
    this.controls.addEventListener("start", () => { this.direction = null; });
    this.look(new THREE.Vector3(0.8, -1.6, 0.7));
    this.resize();
  }
  /** Looks at the whole from this direction; a window of another size keeps that, until the user moves the eye. */
  look(direction) {
    this.direction = direction.clone().normalize();
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(this.direction, this.distance());
    this.controls.update();
  }
  /** The least distance of the eye at which all corners of the bounds are in the picture. */
  distance() {
    const side = new THREE.Vector3().crossVectors(this.camera.up, this.direction).normalize();
    const above = new THREE.Vector3().crossVectors(this.direction, side), half = Math.tan(this.camera.fov * Math.PI / 360);
    let least = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const [x, y, z] = ["x", "y", "z"].map((axis, c) => (corner >> c & 1 ? this.bounds.max : this.bounds.min)[axis]);
      const place = new THREE.Vector3(x, y, z).sub(this.centre);
      least = Math.max(least, place.dot(this.direction) + Math.max(Math.abs(place.dot(side)) / (half * this.camera.aspect),
        Math.abs(place.dot(above)) / half));
    }
    return least;
  }
  turn(across, up) {
    this.direction = null;
    const offset = this.camera.position.clone().sub(this.controls.target), side = new THREE.Vector3().crossVectors(this.camera.up, offset).normalize();
    offset.applyAxisAngle(this.camera.up, across).applyAxisAngle(side, up);
    if (Math.abs(offset.clone().normalize().z) > 0.995) return;
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }
  zoom(factor) {
    this.direction = null;
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }
  resize() {
    const width = this.place.clientWidth, height = Math.min(Math.max(width * 0.55, 280), 560);
    if (width < 50) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.direction) this.look(this.direction);
    this.draw();
  }
  draw() { this.renderer.render(this.scene.scene, this.camera); }
  /** The node nearest to a place of the canvas. */
  nodeAt(x, y) {
    const names = content.model.names, box = this.canvas.getBoundingClientRect();
    let nearest = null, least = 14;
    for (let n = 0; n < names.length; ++n) {
      if (!this.scene.isPlaced(n)) continue;
      const p = this.scene.point(n).project(this.camera);
      const away = Math.hypot((p.x + 1) / 2 * box.width - x, (1 - p.y) / 2 * box.height - y);
      if (away < least) [nearest, least] = [n, away];
    }
    return nearest;
  }
  destroy() {
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}

/** Shows undeformed structure, modes or motion, and plays them. */
class StructurePlayer {
  constructor(view, motion, told) {
    Object.assign(this, { view, motion, told, mode: "still", factor: 1, isPlaying: false, phase: 0, speed: 1 });
    this.time = motion.hasMotion ? motion.time[0] : 0;
    this.onMove = () => {};
  }
  select(mode) {
    this.mode = mode;
    this.phase = 0.25;
    if (mode === "motion") this.natural = this.motion.largestMotion();
    else if (mode !== "still") { this.motion.shape(Number(mode)); this.natural = this.motion.largest(); }
    this.show();
  }
  get span() { return this.motion.time[this.motion.time.length - 1] - this.motion.time[0]; }
  /** Displacements are enlarged so that the largest is an eighth of the structure, times what the user chose. */
  get scale() {
    if (this.factor === "true") return 1;
    return this.natural > 0 ? 0.12 * this.view.size / this.natural * this.factor : 1;
  }
  show() {
    const { motion, view } = this;
    const hasStates = this.mode === "motion";
    if (this.mode === "still") view.scene.move(null, 0);
    else if (hasStates) motion.at(this.time);
    else motion.shape(Number(this.mode));
    if (this.mode !== "still") view.scene.move(motion.u, this.scale * (hasStates ? 1 : Math.sin(2 * Math.PI * this.phase)));
    view.scene.showStates(hasStates ? this.time : null);
    view.draw();
    this.told.textContent = this.mode === "still" ? "undeformed" : hasStates
      ? `t = ${numberText(this.time, 5)} s, displacements × ${numberText(this.scale, 3)}` : "largest displacement an eighth of the structure";
    this.told.dataset.phase = this.mode === "motion" ? this.time : this.phase;
    this.onMove();
  }
  play() {
    if (this.isPlaying || this.mode === "still") return;
    this.isPlaying = true;
    let last = performance.now();
    const step = (now) => {
      if (!this.isPlaying || !this.view.canvas.isConnected) return;
      const seconds = Math.min(Math.max((now - last) / 1000, 0), 0.1);
      last = now;
      if (this.mode === "motion") {
        this.time += this.span * seconds / 10 * this.speed; // the whole run in ten seconds
        if (this.time > this.motion.time[0] + this.span) this.time = this.motion.time[0];
      } else {
        this.phase = (this.phase + 0.5 * seconds * this.speed) % 1;
      }
      if (this.view.place.offsetParent) this.show();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  stop() { this.isPlaying = false; }
}

function modeOptions(motion) {
  const options = [{ value: "still", text: "undeformed" }];
  if (motion.hasMotion) options.push({ value: "motion", text: "motion" });
  if (!motion.hasModes) return options;
  const data = content.modal.data, frequency = arrayOf(data.frequency.values);
  const residual = data.is_residual_vector ? arrayOf(data.is_residual_vector.values) : [];
  motion.modes.forEach((mode, k) => options.push({ value: String(k),
    text: residual[mode] ? `residual vector ${mode + 1}` : `mode ${mode + 1}: ${numberText(frequency[mode], 5)} Hz` }));
  return options;
}

function structureLegend(model) {
  const kinds = new Set(model.kinds ? arrayOf(model.kinds) : []);
  const entry = (colour, text) => {
    const mark = element("i", { class: "dot" });
    mark.style.background = colour;
    return element("span", {}, mark, text);
  };
  return element("div", { class: "legend" }, ...[0, 1, 2, 3].filter((kind) => kinds.has(kind)).map((kind) => entry(colourOf([0, 1, 4, 0][kind]), kLineKinds[kind])),
    model.supports.length ? entry(styleColour("muted"), "supports: box, or a bar along what is fixed") : null,
    (model.contacts ?? []).length ? entry(colourOf(2), "contacts: arrow along the normal, ring in the plane of the tangents or around a curved obstacle; in motion blue sticks, orange slips, grey is open") : null);
}

function contactsTable(model) {
  const vector = (axes, row) => axes.slice(3 * row, 3 * row + 3).map((x) => numberText(x, 3)).join(", ");
  return table(["contact", "node", "against", "obstacle", "normal law", "friction", "axis 1", "axis 2"], model.contacts.length, (i) => {
    const contact = model.contacts[i];
    return [contact.name, model.names[contact.node], contact.second === null ? "ground" : model.names[contact.second], contact.obstacle,
      contact.normal, contact.friction, vector(contact.axes, 0), vector(contact.axes, 1)];
  }, "Contacts");
}

/** Buttons and sliders of the player. */
function playerBar(player, motion, view) {
  const slider = element("input", { type: "range", min: "0", max: "1000", value: "0", "aria-label": "Instant", oninput: () => {
    player.stop();
    if (player.mode === "motion") player.time = motion.time[0] + player.span * slider.value / 1000;
    else player.phase = slider.value / 1000;
    player.show();
  } });
  player.onMove = () => { slider.value = 1000 * (player.mode === "motion" ? (player.time - motion.time[0]) / player.span : player.phase); };
  const scales = [0.25, 0.5, 1, 2, 4].map((x) => ({ value: String(x), text: "× " + x })).concat({ value: "true", text: "true scale" });
  const look = (x, y, z) => () => view.look(new THREE.Vector3(x, y, z));
  const first = motion.hasMotion ? "motion" : "still";
  player.select(first);
  return element("div", { class: "bar" }, choice("Show", modeOptions(motion), first, (value) => player.select(value)),
    button("Play", () => player.play()), button("Stop", () => player.stop()), slider,
    choice("Displacements", scales, "1", (value) => { player.factor = value === "true" ? value : Number(value); player.show(); }),
    choice("Speed", [0.05, 0.2, 1, 4].map((x) => ({ value: String(x), text: "× " + x })), "1", (value) => { player.speed = Number(value); }),
    button("Whole", look(0.8, -1.6, 0.7)), button("Along x", look(1, 0, 0.001)), button("Along y", look(0, -1, 0.001)), button("From above", look(0, -0.02, 1)));
}

function listenToScene(view, player, tip) {
  view.canvas.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12] };
    if (event.key === " ") player.isPlaying ? player.stop() : player.play();
    else if (event.key === "+" || event.key === "=") view.zoom(0.8);
    else if (event.key === "-") view.zoom(1.25);
    else if (turns[event.key]) view.turn(...turns[event.key]);
    else return;
    event.preventDefault();
  });
  view.canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    const node = view.nodeAt(event.offsetX, event.offsetY), model = content.model;
    const at = (n) => Array.from(arrayOf(model.positions).slice(3 * n, 3 * n + 3), (x) => numberText(x)).join(", ");
    const held = node === null ? null : model.supports.find(([n]) => n === node);
    tip.textContent = node === null ? "Point at a node to read its name." : `${model.names[node]} at (${at(node)}) m${held ? ", fixed: " + held[1] : ""}`;
  });
}

function drawStructure(panel) {
  const model = content.model;
  if (model.leftOut) return panel.append(note(`The structure has ${model.count} nodes: too many for this page. ricochet restore --xdmf makes a file for ParaView.`));
  const bounds = boundsOf(arrayOf(model.positions), model.placed ? arrayOf(model.placed) : null);
  const size = bounds.getSize(new THREE.Vector3()).length() || 1;
  const place = element("div", { class: "scene" }), told = element("p", { class: "where", role: "status" }), tip = element("p", { class: "where", text: "Point at a node to read its name." });
  panel.append(place);
  let view;
  try {
    view = new SceneView(place, new StructureScene(size, bounds), bounds, size);
  } catch (error) {
    place.append(note("This browser shows no WebGL, which the picture of the structure needs."));
    if (model.contacts && model.contacts.length) panel.append(contactsTable(model));
    return undefined;
  }
  const motion = new Motion(model.count), player = new StructurePlayer(view, motion, told);
  place.before(playerBar(player, motion, view));
  panel.append(told, tip, structureLegend(model));
  listenToScene(view, player, tip);
  panel.charts = { resize: () => view.resize(), clear: () => { player.stop(); view.destroy(); } };
  panel.player = player;
  if (model.contacts && model.contacts.length) panel.append(contactsTable(model));
  if (content.deck.missing) panel.append(note("Contacts and kinds of elements are not shown: " + content.deck.missing));
  return undefined;
}
