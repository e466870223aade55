// Bodies, bonds, arrows and paths in space, moved to any instant.

import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, FrontSide, Group, HemisphereLight, InstancedMesh,
  Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, PlaneGeometry, Quaternion, Scene, ShadowMaterial, Vector3,
} from "three";

const Z = new Vector3(0, 0, 1);
const MANY_ALIKE = 100, MANY_TRIANGLES = 20000, CELLS = 3;
const PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const OWN = { "-1": "#5b6270", "-2": "#b9b3a8", "-3": "#7d8696" };
export const KINDS = {
  reaction: { color: "#1f9d55", unit: "N" }, force: { color: "#d6336c", unit: "N" }, moment: { color: "#7048e8", unit: "N m" },
  contact: { color: "#f08c00", unit: "N" }, impulse: { color: "#e03131", unit: "N s" },
};

export const colorOf = (tint) => (tint < 0 ? OWN[tint] : PALETTE[tint % PALETTE.length]);

export class World {
  constructor(data) {
    this.data = data;
    const { head } = data;
    this.F = head.frames;
    this.B = head.bodies.length;
    this.scene = new Scene();
    this.bodies = Array.from({ length: this.B + 1 }, () => new Matrix4());
    this.p = new Float32Array(3 * this.B);
    this.q = new Float32Array(4 * this.B);
    this.geometries = head.meshes.map((one) => this.geometry(one));
    this.groups = {};
    this.pickable = [];
    this.makeParts();
    this.makeLines();
    this.makeArrows();
    this.makeTraces();
    this.makeAxes();
    this.makeGround();
    this.makeLights();
    this.frame = -1;
    this.seek(data.time[0]);
  }

  group(name) {
    if (!this.groups[name]) this.scene.add((this.groups[name] = new Group()));
    return this.groups[name];
  }

  geometry(one) {
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(this.data.array(one.corners), 3));
    made.setIndex(new BufferAttribute(new Uint32Array(this.data.array(one.triangles)), 1));
    made.computeVertexNormals();
    return made;
  }

  instances(geometry, list, role, options = {}) {
    const material = new MeshLambertMaterial({ side: role === "wall" ? FrontSide : DoubleSide, ...options.material });
    const mesh = new InstancedMesh(geometry, material, list.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = role !== "wall" && options.shadow !== false;
    mesh.receiveShadow = role === "wall" || this.data.head.parts.length < 300;
    list.forEach((one, i) => mesh.setColorAt(i, new Color(one.color)));
    this.group(role).add(mesh);
    return mesh;
  }

  makeParts() {
    this.parts = [];
    const sorted = new Map();
    for (const part of this.data.head.parts) {
      const key = `${part.mesh} ${part.role}`;
      if (!sorted.has(key)) sorted.set(key, []);
      const local = new Matrix4().compose(new Vector3(...part.p), new Quaternion(...part.q), new Vector3(...part.s));
      sorted.get(key).push({ ...part, local, color: colorOf(part.tint) });
    }
    for (const list of sorted.values()) {
      const mesh = this.instances(this.geometries[list[0].mesh], list, list[0].role);
      mesh.userData.bodies = list.map((one) => one.body);
      const fine = mesh.geometry, many = list.length >= MANY_ALIKE && (list.length * fine.index.count) / 3 > MANY_TRIANGLES;
      this.parts.push({ mesh, list, fine, coarse: many ? coarser(fine) : fine });
      this.pickable.push(mesh);
    }
    const still = new Matrix4();
    for (const { mesh, list } of this.parts) list.forEach((one, i) => one.body < 0 && mesh.setMatrixAt(i, still.copy(one.local)));
  }

  // Shapes that occur many times are drawn with few triangles, or with all of them.
  coarsen(wanted) {
    for (const { mesh, fine, coarse } of this.parts) mesh.geometry = wanted ? coarse : fine;
  }

  makeLines() {
    const sorted = new Map();
    for (const line of this.data.head.lines) {
      if (!sorted.has(line.mesh)) sorted.set(line.mesh, []);
      sorted.get(line.mesh).push({ ...line, a: new Vector3(...line.points[0]), b: new Vector3(...line.points[1]), color: colorOf(-3) });
    }
    this.lines = [...sorted.values()].map((list) => ({ mesh: this.instances(this.geometries[list[0].mesh], list, "link"), list }));
  }

  makeArrows() {
    const { head, array } = this.data;
    const geometry = this.geometries[head.arrow];
    const size = head.framing.size;
    this.arrows = head.arrows.map((one) => ({ ...one, at: array(one.places), v: array(one.vectors) }));
    this.touching = head.touching && {
      begins: array(head.touching.begins), at: array(head.touching.places), v: array(head.touching.vectors), most: head.touching.most,
    };
    this.impacts = head.impacts && { times: array(head.impacts.times), at: array(head.impacts.places), v: array(head.impacts.vectors) };
    this.flash = 0.02 * (this.data.time[this.F - 1] - this.data.time[0]) || 1;
    const most = this.touching ? Math.max(1, ...this.counts()) : 0;
    const room = { reaction: 0, force: 0, moment: 0, contact: Math.min(most, 4000), impulse: this.impacts ? 64 : 0 };
    for (const one of this.arrows) room[one.kind]++;
    this.shown = {};
    for (const [kind, count] of Object.entries(room)) {
      if (!count) continue;
      const list = Array.from({ length: count }, () => ({ color: KINDS[kind].color }));
      const mesh = this.instances(geometry, list, kind, { shadow: false, material: { emissive: new Color(KINDS[kind].color), emissiveIntensity: 0.35, depthTest: kind === "contact", transparent: true } });
      mesh.renderOrder = 10; // forces inside of bodies are seen
      this.shown[kind] = mesh;
      this.group(kind).visible = false;
    }
    this.scale = {};
    for (const kind of Object.keys(this.shown)) {
      const vectors = this.arrows.filter((one) => one.kind === kind).map((one) => one.v);
      if (kind === "contact") vectors.push(this.touching.v);
      if (kind === "impulse") vectors.push(this.impacts.v);
      this.scale[kind] = usual(vectors, kind === "contact" ? 0.97 : 0.8);
    }
    const { low, high, follows } = head.framing;
    const seen = follows >= 0 ? size : Math.hypot(...low.map((x, k) => high[k] - x));
    this.longest = Math.max(0.3 * size, 0.13 * seen);
  }

  counts() {
    const { begins } = this.touching;
    return Array.from({ length: this.F }, (_, f) => begins[f + 1] - begins[f]);
  }

  makeTraces() {
    const { head, array } = this.data;
    this.traces = head.traces.map((one) => {
      const path = new BufferAttribute(array(one.path), 3);
      const make = (opacity) => {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", path);
        const line = new Line(geometry, new LineBasicMaterial({ color: colorOf(one.body), transparent: true, opacity }));
        line.frustumCulled = false;
        this.group("trace").add(line);
        return line;
      };
      return { done: make(0.95), all: make(0.18) };
    });
  }

  makeAxes() {
    const count = Math.min(this.B, 400);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(18 * count), 3));
    const colors = new Float32Array(18 * count);
    for (let i = 0; i < 6 * count; i++) colors[3 * i + (Math.floor(i / 2) % 3)] = 0.9;
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    this.axes = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
    this.axes.frustumCulled = false;
    this.group("axes").add(this.axes);
    this.group("axes").visible = false;
  }

  makeGround() {
    const { framing, gridStep } = this.data.head;
    const up = new Vector3(...framing.up);
    const tilt = new Quaternion().setFromUnitVectors(Z, up);
    const low = new Vector3(...framing.low), high = new Vector3(...framing.high);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const own = middle.clone().applyQuaternion(tilt.clone().invert());
    const half = Math.min(40, Math.ceil((0.9 * Math.max(low.distanceTo(high), framing.size)) / gridStep) + 2);
    const x0 = Math.round(own.x / gridStep) * gridStep, y0 = Math.round(own.y / gridStep) * gridStep, end = half * gridStep;
    // One piece for each side of a square: some renderers leave out lines that begin behind the eye.
    const count = 2 * half + 1, points = [], sides = [];
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) {
        points.push(x0 + (i - half) * gridStep, y0 + (j - half) * gridStep, 0);
        if (i > 0) sides.push((i - 1) * count + j, i * count + j);
        if (j > 0) sides.push(i * count + j - 1, i * count + j);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    geometry.setIndex(sides);
    this.grid = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.55 }));
    const ground = this.group("grid");
    ground.add(this.grid);
    if (framing.weighs) {
      const floor = new Mesh(new PlaneGeometry(2 * end, 2 * end), new ShadowMaterial({ opacity: 0.2, depthWrite: false }));
      floor.position.set(x0, y0, 0);
      floor.receiveShadow = true;
      ground.add(floor);
    }
    ground.quaternion.copy(tilt);
    ground.position.copy(up).multiplyScalar(framing.floor - 0.002 * framing.size);
    this.end = end;
  }

  makeLights() {
    const { framing } = this.data.head;
    const up = new Vector3(...framing.up), low = new Vector3(...framing.low), high = new Vector3(...framing.high);
    const tilt = new Quaternion().setFromUnitVectors(Z, up);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const radius = 0.5 * low.distanceTo(high) + 0.5 * framing.size;
    this.sky = new HemisphereLight("#ffffff", "#8a8f98", 1.5);
    this.sky.position.copy(up);
    this.sun = new DirectionalLight("#ffffff", 1.9);
    this.sun.position.copy(new Vector3(0.45, -0.35, 1).normalize().applyQuaternion(tilt).multiplyScalar(3 * radius).add(middle));
    this.sun.target.position.copy(middle);
    this.sun.castShadow = this.data.head.parts.length < 400;
    this.sun.shadow.mapSize.set(2048, 2048);
    Object.assign(this.sun.shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0.1 * radius, far: 8 * radius });
    this.sun.shadow.normalBias = 0.004 * framing.size;
    this.radius = radius;
    this.scene.add(this.sky, this.sun, this.sun.target, new AmbientLight("#ffffff", 0.35));
  }

  // The frame before an instant, and the share of the way to the next.
  locate(t) {
    const time = this.data.time;
    let low = 0, high = this.F - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle; else high = middle;
    }
    const span = this.F > 1 ? time[low + 1] - time[low] : 0;
    return { frame: low, share: span > 0 ? Math.min(1, Math.max(0, (t - time[low]) / span)) : 0 };
  }

  seek(t) {
    const { position, quaternion } = this.data, B = this.B;
    const { frame, share } = this.locate(t);
    const next = Math.min(frame + 1, this.F - 1);
    this.t = t;
    this.at = { frame, share };
    const one = new Vector3(1, 1, 1), place = new Vector3(), turn = new Quaternion();
    for (let b = 0; b < B; b++) {
      let i = 3 * (frame * B + b), j = 3 * (next * B + b);
      for (let k = 0; k < 3; k++) this.p[3 * b + k] = position[i + k] + share * (position[j + k] - position[i + k]);
      i = 4 * (frame * B + b); j = 4 * (next * B + b);
      let dot = 0, sum = 0;
      for (let k = 0; k < 4; k++) dot += quaternion[i + k] * quaternion[j + k];
      const side = dot < 0 ? -share : share;
      for (let k = 0; k < 4; k++) {
        const x = (1 - share) * quaternion[i + k] + side * quaternion[j + k];
        this.q[4 * b + k] = x;
        sum += x * x;
      }
      const size = Math.sqrt(sum) || 1;
      for (let k = 0; k < 4; k++) this.q[4 * b + k] /= size;
      this.bodies[b].compose(place.fromArray(this.p, 3 * b), turn.fromArray(this.q, 4 * b), one);
      this.deform(b, frame, next, share);
    }
    this.placeParts();
    this.placeLines();
    this.placeArrows();
    this.placeAxes();
    for (const trace of this.traces) trace.done.geometry.setDrawRange(0, this.at.frame + (this.at.share > 0 ? 2 : 1));
  }

  /* a body that deforms is carried by a matrix in place of its rotation */
  deform(b, frame, next, share) {
    const { carriers } = this.data;
    const place = carriers ? carriers.place.get(b) : undefined;
    if (place === undefined) return;
    const { values, count } = carriers, to = this.bodies[b].elements;
    const i = 9 * (frame * count + place), j = 9 * (next * count + place);
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++) to[4 * k + r] = values[i + 3 * r + k] + share * (values[j + 3 * r + k] - values[i + 3 * r + k]);
    }
  }

  placeParts() {
    const made = new Matrix4();
    for (const { mesh, list } of this.parts) {
      for (let i = 0; i < list.length; i++) {
        if (list[i].body >= 0) mesh.setMatrixAt(i, made.multiplyMatrices(this.bodies[list[i].body], list[i].local));
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  placeLines() {
    const made = new Matrix4(), a = new Vector3(), b = new Vector3(), turn = new Quaternion(), scale = new Vector3();
    for (const { mesh, list } of this.lines) {
      list.forEach((line, i) => {
        a.copy(line.a); b.copy(line.b);
        if (line.bodies[0] >= 0) a.applyMatrix4(this.bodies[line.bodies[0]]);
        if (line.bodies[1] >= 0) b.applyMatrix4(this.bodies[line.bodies[1]]);
        const length = a.distanceTo(b);
        scale.set(line.radius, line.radius, Math.max(length, 1e-9));
        turn.setFromUnitVectors(Z, length > 0 ? b.clone().sub(a).divideScalar(length) : Z);
        mesh.setMatrixAt(i, made.compose(a.add(b).multiplyScalar(0.5), turn, scale));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  placeArrows() {
    const { frame, share } = this.at, next = Math.min(frame + 1, this.F - 1), near = share < 0.5 ? frame : next;
    const used = {};
    const put = (kind, places, vectors, i) => {
      const mesh = this.shown[kind];
      if (!mesh || !this.group(kind).visible) return;
      const k = used[kind] ?? 0;
      if (k >= mesh.count0) return;
      const v = new Vector3().fromArray(vectors, 3 * i), size = v.length();
      const length = Math.min(1.6, size / this.scale[kind]) * this.longest * (kind === "contact" ? 0.6 : 1);
      if (!(length > 0.02 * this.longest)) return;
      const wide = Math.min(0.75 * this.longest, 2 * length);
      const turn = new Quaternion().setFromUnitVectors(Z, v.divideScalar(size));
      mesh.setMatrixAt(k, new Matrix4().compose(new Vector3().fromArray(places, 3 * i), turn, new Vector3(wide, wide, length)));
      used[kind] = k + 1;
    };
    for (const mesh of Object.values(this.shown)) mesh.count0 ??= mesh.count;
    for (const one of this.arrows) put(one.kind, one.at, one.v, near);
    if (this.touching) for (let c = this.touching.begins[near]; c < this.touching.begins[near + 1]; c++) put("contact", this.touching.at, this.touching.v, c);
    if (this.impacts) this.impacts.times.forEach((time, i) => Math.abs(time - this.t) <= this.flash && put("impulse", this.impacts.at, this.impacts.v, i));
    for (const [kind, mesh] of Object.entries(this.shown)) {
      mesh.count = used[kind] ?? 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  placeAxes() {
    if (!this.group("axes").visible) return;
    const points = this.axes.geometry.attributes.position, length = 0.12 * this.data.head.framing.size;
    const count = points.count / 6, end = new Vector3();
    for (let b = 0; b < count; b++) {
      for (let k = 0; k < 3; k++) {
        points.setXYZ(6 * b + 2 * k, this.p[3 * b], this.p[3 * b + 1], this.p[3 * b + 2]);
        end.set(0, 0, 0).setComponent(k, length).applyMatrix4(this.bodies[b]);
        points.setXYZ(6 * b + 2 * k + 1, end.x, end.y, end.z);
      }
    }
    points.needsUpdate = true;
  }

  highlight(body) {
    for (const { mesh, list } of this.parts) {
      list.forEach((one, i) => {
        const color = new Color(one.color);
        mesh.setColorAt(i, body !== null && one.body === body ? color.lerp(new Color("#ffd43b"), 0.65) : color);
      });
      mesh.instanceColor.needsUpdate = true;
    }
  }
}

// A surface with at most 26 corners: of those in each cell of a grid the outermost is left, so that the size stays.
function coarser(fine) {
  const at = fine.attributes.position, index = fine.index;
  fine.computeBoundingBox();
  const { min, max } = fine.boundingBox, middle = min.clone().add(max).multiplyScalar(0.5), place = new Vector3();
  const cell = (x, low, high) => (high > low ? Math.min(CELLS - 1, Math.floor((CELLS * (x - low)) / (high - low))) : 0);
  const kept = new Map(), cells = [];
  for (let i = 0; i < at.count; i++) {
    place.fromBufferAttribute(at, i);
    const key = cell(place.x, min.x, max.x) + CELLS * (cell(place.y, min.y, max.y) + CELLS * cell(place.z, min.z, max.z));
    const far = place.distanceTo(middle), before = kept.get(key);
    cells.push(key);
    if (!before || far > before.far) kept.set(key, { i, far });
  }
  const triangles = [];
  for (let k = 0; k < index.count; k += 3) {
    const [a, b, c] = [0, 1, 2].map((j) => kept.get(cells[index.getX(k + j)]).i);
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  }
  if (triangles.length < 12) return fine; // nothing closed would be left of it
  const made = new BufferGeometry();
  made.setAttribute("position", at);
  made.setIndex(triangles);
  made.computeVertexNormals();
  return made;
}

// A length of vectors that most stay below.
function usual(lists, share) {
  const sizes = [];
  for (const v of lists) {
    const step = Math.max(1, Math.floor(v.length / 3 / 3000));
    for (let i = 0; i < v.length / 3; i += step) {
      const size = Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
      if (size > 0) sizes.push(size);
    }
  }
  sizes.sort((a, b) => a - b);
  return sizes.length ? sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))] : 1;
}
