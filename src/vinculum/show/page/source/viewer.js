// The page: time, camera, picking, plots and choices.

import { PerspectiveCamera, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { readData } from "./data.js";
import { Plot, shortNumber } from "./plots.js";
import { KINDS, World, colorOf } from "./world.js";

const byId = (id) => document.getElementById(id);
const LAYERS = [["link", "links and springs"], ["joint", "joints"], ["mass", "mass points"], ["wall", "walls"], ["trace", "paths"], ["grid", "ground grid"],
  ["axes", "body frames"], ["reaction", "reactions"], ["force", "forces"], ["moment", "moments"], ["contact", "contact forces"], ["impulse", "impulses at impacts"]];
const HALF = Math.tan((14 * Math.PI) / 180);
// Seconds that a frame may take while a motion plays; how many frames are looked at before less is drawn, and the most that is left out.
const WANTED = 1 / 30, LOOKED_AT = 6, ROUGHEST = 2;

class Viewer {
  constructor(data) {
    this.data = data;
    this.head = data.head;
    this.begin = data.time[0];
    this.end = data.time[data.time.length - 1];
    this.t = this.begin;
    this.playing = false;
    this.picked = null;
    this.frames = 0;
    this.roughness = 0;
    this.passed = [];
    this.errors = [];
    const span = this.end - this.begin;
    this.base = span === 0 || (span >= 1 && span <= 60) ? 1 : span / 10;
    this.theme(localStorageSafe("vinculum theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"), false);
    this.makeTexts();
    this.makePlots();
    try {
      this.makeSpace();
    } catch (error) {
      byId("stage").textContent = "This browser offers no WebGL, which the picture in space needs; the curves beside it work without.";
      this.failure = String(error);
    }
    this.makeControls();
    this.seek(this.begin);
    new ResizeObserver(() => this.resize()).observe(byId("stage"));
    this.resize();
    requestAnimationFrame((now) => this.tick(now));
  }

  makeSpace() {
    this.world = new World(this.data);
    const canvas = byId("space");
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: this.head.kept });
    this.renderer.shadowMap.enabled = this.world.sun.castShadow;
    this.camera = new PerspectiveCamera(28, 1, 0.01, 100);
    this.camera.up.set(...this.head.framing.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener("change", () => (this.stale = true));
    const { framing } = this.head;
    this.follows = framing.follows;
    const { radius, end } = this.world;
    this.camera.near = 0.005 * framing.size;
    this.camera.far = 60 * radius + 4 * end + 60 * framing.size;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 5) this.pickAt(event.clientX, event.clientY);
    });
    this.paint();
  }

  makeTexts() {
    document.title = this.head.name;
    byId("name").textContent = this.head.name;
    byId("notes").textContent = this.head.notes.join("; ");
    byId("notes").hidden = !this.head.notes.length;
    if (this.data.time.length < 2) document.body.classList.add("still");
  }

  makePlots() {
    this.plots = [];
    const { panels } = this.head;
    if (!panels.length || this.data.time.length < 2) return;
    const place = byId("plots"), seek = (t) => { this.pause(); this.seek(t); };
    this.plots.push(new Plot(place, this.data, panels, 0, seek));
    if (panels.length > 1) this.plots.push(new Plot(place, this.data, panels, 1, seek));
  }

  makeControls() {
    byId("play").onclick = () => (this.playing ? this.pause() : this.play());
    const slider = byId("slider");
    slider.oninput = () => { this.pause(); this.seek(this.begin + (slider.value / 1e5) * (this.end - this.begin)); };
    byId("speed").onchange = () => this.tell();
    byId("theme").onclick = () => this.theme(this.dark ? "light" : "dark");
    byId("side").onclick = () => { document.body.classList.toggle("closed"); setTimeout(() => this.resize(), 0); };
    if (matchMedia("(max-width: 760px)").matches) document.body.classList.add("closed");
    byId("view").onchange = () => { this.look(byId("view").value); };
    const bodies = byId("body");
    bodies.add(new Option("pick a body …", ""));
    this.head.bodies.slice(0, 2000).forEach((name, i) => bodies.add(new Option(name, i)));
    bodies.onchange = () => this.pick(bodies.value === "" ? null : Number(bodies.value));
    byId("follow").onchange = () => { this.follows = byId("follow").checked ? this.picked ?? 0 : -1; this.last = this.followed(); };
    byId("follow").checked = (this.follows ?? -1) >= 0;
    const layers = byId("layers");
    for (const [name, label] of LAYERS) {
      const group = this.world?.groups[name];
      if (!group || !group.children.length) continue;
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = group.visible;
      box.dataset.layer = name;
      box.onchange = () => this.layer(name, box.checked);
      const line = document.createElement("label");
      const chip = document.createElement("i");
      if (KINDS[name]) chip.style.background = KINDS[name].color;
      line.append(box, chip, label + (KINDS[name] ? `, longest ≈ ${shortNumber(this.world.scale[name])} ${KINDS[name].unit}` : ""));
      layers.append(line);
    }
    document.addEventListener("visibilitychange", () => (this.before = undefined)); // time in the background says nothing about frames
    document.addEventListener("keydown", (event) => {
      if (["INPUT", "SELECT"].includes(event.target.tagName) && event.key !== " ") return;
      if (event.key === " ") { event.preventDefault(); this.playing ? this.pause() : this.play(); }
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
        this.pause();
        const { frame } = this.world?.locate(this.t) ?? { frame: 0 };
        const next = Math.min(this.data.time.length - 1, Math.max(0, frame + (event.key === "ArrowRight" ? 1 : this.t > this.data.time[frame] ? 0 : -1)));
        this.seek(this.data.time[next]);
      }
    });
  }

  layer(name, visible) {
    this.world.group(name).visible = visible;
    const box = document.querySelector(`[data-layer="${name}"]`);
    if (box) box.checked = visible;
    this.seek(this.t);
  }

  theme(name, keep = true) {
    this.dark = name === "dark";
    document.documentElement.dataset.theme = name;
    if (keep) localStorageSafe("vinculum theme", name);
    this.paint();
  }

  paint() {
    if (!this.world) return;
    const style = getComputedStyle(document.documentElement);
    this.renderer.setClearColor(style.getPropertyValue("--space").trim());
    this.world.grid.material.color.set(style.getPropertyValue("--grid").trim());
    this.stale = true;
    this.plots?.forEach((plot) => plot.draw(this.t));
  }

  // Puts the eye where everything that moves is seen from a direction, or the followed body and what is near it.
  look(which) {
    const { framing } = this.head;
    const up = new Vector3(...framing.up), along = new Vector3(Math.abs(up.x) < 0.9 ? 1 : 0, Math.abs(up.x) < 0.9 ? 0 : 1, 0);
    const right = along.sub(up.clone().multiplyScalar(along.dot(up))).normalize(), back = up.clone().cross(right);
    const mix = (r, b, u) => right.clone().multiplyScalar(r).addScaledVector(back, b).addScaledVector(up, u).normalize();
    const toward = { start: new Vector3(...framing.toward), front: mix(0, -1, 0.001), side: mix(1, 0, 0.001), top: mix(0, -0.001, 1), iso: mix(0.6, -0.6, 0.5) }[which];
    let low = new Vector3(...framing.low), high = new Vector3(...framing.high);
    if (this.follows >= 0) {
      const place = this.middle();
      low = place.clone().addScalar(-0.42 * framing.size);
      high = place.clone().addScalar(0.42 * framing.size);
    }
    const x = up.clone().cross(toward).normalize(), y = toward.clone().cross(x), target = low.clone().add(high).multiplyScalar(0.5);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(k & 1 ? low.x : high.x, k & 2 ? low.y : high.y, k & 4 ? low.z : high.z));
    let distance = 1;
    for (let round = 0; round < 3; round++) {
      const seen = corners.map((corner) => { const d = corner.clone().sub(target); return [d.dot(x), d.dot(y), d.dot(toward)]; });
      distance = Math.max(0.05 * framing.size, ...seen.map(([a, b, c]) => 1.18 * Math.max(Math.abs(a) / (HALF * this.camera.aspect), Math.abs(b) / HALF) + c));
      const screen = seen.map(([a, b, c]) => [a / (distance - c), b / (distance - c)]);
      const middle = [0, 1].map((k) => 0.5 * distance * (Math.min(...screen.map((s) => s[k])) + Math.max(...screen.map((s) => s[k]))));
      target.addScaledVector(x, middle[0]).addScaledVector(y, middle[1]);
    }
    this.camera.position.copy(target).addScaledVector(toward, distance);
    this.controls.target.copy(target);
    this.controls.update();
    this.last = this.followed();
    this.moved = true;
    this.stale = true;
  }

  // The place of the body that the eye goes with, or null.
  followed() {
    return this.world && this.follows >= 0 ? new Vector3().fromArray(this.world.p, 3 * this.follows) : null;
  }

  // The middle of all bodies if the page itself chose whom to follow, else the place of that body.
  middle() {
    const { p, B } = this.world, place = new Vector3();
    if (this.picked !== null) return place.fromArray(p, 3 * this.follows);
    for (let b = 0; b < B; b++) place.add(new Vector3().fromArray(p, 3 * b));
    return place.divideScalar(B);
  }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
    if (this.world) {
      this.world.seek(this.t);
      if (this.follows >= 0) {
        const place = this.followed(), step = place.clone().sub(this.last ?? place);
        this.camera.position.add(step);
        this.controls.target.add(step);
        this.world.sun.position.add(step);
        this.world.sun.target.position.add(step);
        this.last = place;
      }
    }
    this.tell();
    this.stale = true;
  }

  tell() {
    const span = this.end - this.begin;
    byId("slider").value = span ? (1e5 * (this.t - this.begin)) / span : 0;
    const rate = this.base * Number(byId("speed").value);
    byId("clock").textContent = `${shortNumber(this.t)} s`;
    byId("rate").textContent = rate === 1 ? "real time" : `${shortNumber(rate)} s per s`;
    this.plots.forEach((plot) => plot.draw(this.t));
    this.tellBody();
  }

  tellBody() {
    const table = byId("state");
    if (this.picked === null || !this.world) { table.replaceChildren(); return; }
    const rows = this.stateOf(this.picked).map(([what, value]) => {
      const row = document.createElement("tr"), name = document.createElement("th"), cell = document.createElement("td");
      name.textContent = what; cell.textContent = value;
      row.append(name, cell);
      return row;
    });
    table.replaceChildren(...rows);
  }

  stateOf(b) {
    const { frame, share } = this.world.at, B = this.world.B, next = Math.min(frame + 1, this.data.time.length - 1);
    const unit = this.head.unit, put = (v) => {
      const size = Math.hypot(...v);
      return v.map((x) => shortNumber(Math.abs(x) < 1e-6 * size ? 0 : x)).join(", ");
    };
    const rows = [["position" + (unit && ` [${unit}]`), put([...this.world.p.slice(3 * b, 3 * b + 3)])]];
    const mix = (array, width) => Array.from({ length: width }, (_, k) => {
      const i = (frame * B + b) * width + k, j = (next * B + b) * width + k;
      return array[i] + share * (array[j] - array[i]);
    });
    const states = this.head.states;
    if (states) {
      const v = mix(this.data.array(states.velocities), 3);
      rows.push(["velocity [m/s]", put(v)], ["speed [m/s]", shortNumber(Math.hypot(...v))]);
      rows.push(["angular velocity [rad/s]", put(mix(this.data.array(states.spins), 3))]);
      rows.push(["kinetic energy [J]", put(mix(this.data.array(states.kinetic), 1))]);
    } else if (this.data.time.length > 1) {
      const span = this.data.time[next] - this.data.time[frame] || 1, p = this.data.position;
      const v = [0, 1, 2].map((k) => (p[3 * (next * B + b) + k] - p[3 * (frame * B + b) + k]) / span);
      rows.push(["mean velocity between frames [m/s]", put(v)]);
    }
    const q = [...this.world.q.slice(4 * b, 4 * b + 4)];
    rows.push(["quaternion (w, x, y, z)", put([q[3], q[0], q[1], q[2]])]);
    if (this.head.masses[b] > 0) rows.push(["mass [kg]", shortNumber(this.head.masses[b])]);
    return rows;
  }

  pickAt(x, y) {
    const box = byId("space").getBoundingClientRect();
    const at = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    this.world.pickable.forEach((mesh) => mesh.computeBoundingSphere());
    const visible = this.world.pickable.filter((mesh) => mesh.parent.visible);
    const hit = ray.intersectObjects(visible, false).find((one) => one.object.userData.bodies[one.instanceId] >= 0);
    this.pick(hit ? hit.object.userData.bodies[hit.instanceId] : null);
  }

  pick(body) {
    this.picked = body;
    byId("body").value = body ?? "";
    byId("swatch").style.background = body === null ? "transparent" : colorOf(body);
    if (byId("follow").checked && body !== null) { this.follows = body; this.last = this.followed(); }
    this.world?.highlight(body);
    this.tellBody();
    this.stale = true;
  }

  play() {
    if (this.begin === this.end) return;
    if (this.t >= this.end) this.seek(this.begin);
    this.playing = true;
    if (this.roughness > 0 && mean(this.passed) < 0.6 * WANTED) this.roughness--;
    this.passed = [];
    this.refine();
    byId("play").textContent = "❚❚";
    byId("play").ariaLabel = "pause";
  }

  pause() {
    this.playing = false;
    this.refine();
    byId("play").textContent = "►";
    byId("play").ariaLabel = "play";
  }

  // Where frames take too long, less is drawn while the motion plays: first coarse bodies, then a quarter of the pixels.
  pace(seconds) {
    this.passed.push(seconds);
    if (this.passed.length < LOOKED_AT) return;
    if (mean(this.passed) > WANTED && this.roughness < ROUGHEST) {
      this.roughness++;
      this.passed = [];
      this.refine();
    } else this.passed.shift();
  }

  // What stands still is drawn with everything.
  refine() {
    if (!this.renderer) return;
    const roughness = this.playing ? this.roughness : 0;
    this.world.coarsen(roughness > 0);
    const ratio = Math.min(this.head.parts.length < 400 ? 2 : 1, window.devicePixelRatio || 1) * (roughness > 1 ? 0.5 : 1);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.stale = true;
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = byId("stage");
    if (this.renderer && w && h) {
      this.refine();
      this.renderer.setSize(w, h, false);
      this.camera.aspect = w / h;
      this.camera.updateProjectionMatrix();
      if (!this.moved || !this.touched) { this.look("start"); }
    }
    this.plots.forEach((plot) => plot.draw(this.t));
    this.stale = true;
  }

  tick(now) {
    const whole = (now - (this.before ?? now)) / 1000, passed = Math.min(0.1, whole);
    this.before = now;
    if (this.playing) {
      if (whole > 0) this.pace(whole);
      let t = this.t + passed * this.base * Number(byId("speed").value);
      if (t >= this.end) {
        t = byId("loop").checked ? this.begin : this.end;
        if (!byId("loop").checked) this.pause();
      }
      this.seek(t);
    }
    this.controls?.update();
    if (this.renderer && this.stale) {
      this.renderer.render(this.world.scene, this.camera);
      this.frames++;
      this.stale = false;
    }
    requestAnimationFrame((later) => this.tick(later));
  }
}

const mean = (values) => values.reduce((sum, x) => sum + x, 0) / (values.length || 1);

function localStorageSafe(key, value) {
  try {
    return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
  } catch {
    return null;
  }
}

readData().then((data) => {
  window.vinculum = new Viewer(data);
  window.vinculum.controls?.addEventListener("start", () => (window.vinculum.touched = true));
  document.body.dataset.ready = "yes";
  if (data.time.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches && !location.hash.includes("still")) window.vinculum.play();
}).catch((error) => {
  byId("stage").textContent = `The data of this page cannot be read: ${error.message}`;
  throw error;
});
