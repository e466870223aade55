// Reads what `packing.py` wrote: arrays in one compressed block, described by a header.

const TYPES = { f4: Float32Array, i4: Int32Array, u1: Uint8Array };

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// Differences along the last axis, as planes of bytes, summed up again.
function summed(bytes, count, length, width) {
  const total = count * length;
  const out = new Int32Array(total);
  for (let k = 0; k < width; k++) {
    const plane = bytes.subarray(k * total, (k + 1) * total);
    for (let i = 0; i < total; i++) out[i] |= plane[i] << (8 * k);
  }
  const spare = 32 - 8 * width;
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let i = row * length; i < (row + 1) * length; i++) {
      sum = ((sum + out[i]) << spare) >> spare;
      out[i] = sum;
    }
  }
  return out;
}

export async function readData() {
  const head = JSON.parse(document.getElementById("head").textContent);
  const buffer = await inflate(document.getElementById("block").textContent.trim());
  const array = (one) => new TYPES[one.type](buffer, one.at, one.count);
  const F = head.frames, B = head.bodies.length;
  const steps = summed(array(head.positions), 3 * B, F, 4);
  const position = new Float32Array(3 * B * F);
  for (let b = 0; b < B; b++) {
    const { origin, step } = { origin: head.origins[b], step: head.steps[b] };
    for (let k = 0; k < 3; k++) {
      const row = (3 * b + k) * F;
      for (let f = 0; f < F; f++) position[(f * B + b) * 3 + k] = origin[k] + step * steps[row + f];
    }
  }
  const quaternion = new Float32Array(4 * B * F);
  const turns = summed(array(head.quaternions), 4 * head.turning.length, F, 2);
  const place = new Map(head.turning.map((b, i) => [b, i]));
  for (let b = 0; b < B; b++) {
    const i = place.get(b);
    for (let f = 0; f < F; f++) {
      const at = (f * B + b) * 4;
      if (i === undefined) quaternion.set(head.attitudes[b], at);
      else for (let k = 0; k < 4; k++) quaternion[at + k] = turns[(4 * i + k) * F + f] / 32767;
    }
  }
  const carriers = head.carriers && {
    count: head.carriers.bodies.length, values: array(head.carriers.values),
    place: new Map(head.carriers.bodies.map((b, i) => [b, i])),
  };
  return { head, array, position, quaternion, carriers, time: array(head.time) };
}
