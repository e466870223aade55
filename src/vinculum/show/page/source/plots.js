// Curves over time with a cursor; a drag on them moves the time.

const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#868e96"];

export const shortNumber = (x) => {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return x.toExponential(2).replace("e+", "e");
  return Number(x.toPrecision(4)).toString();
};

export class Plot {
  constructor(place, data, panels, first, seek) {
    this.data = data;
    this.panels = panels;
    this.canvas = document.createElement("canvas");
    this.choice = document.createElement("select");
    this.choice.ariaLabel = "curves to show";
    panels.forEach((panel, i) => this.choice.add(new Option(panel.label, i)));
    this.choice.value = first;
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    const box = document.createElement("div");
    box.className = "plot";
    box.append(this.choice, this.canvas, this.legend);
    place.append(box);
    this.choice.onchange = () => this.draw(this.t);
    const drag = (event) => {
      if (event.type === "pointerdown") this.canvas.setPointerCapture(event.pointerId);
      else if (!event.buttons) return;
      const { left, width } = this.canvas.getBoundingClientRect();
      const { begin, end } = this.span();
      seek(begin + Math.min(1, Math.max(0, (event.clientX - left) / width)) * (end - begin));
    };
    this.canvas.onpointerdown = drag;
    this.canvas.onpointermove = drag;
  }

  span() {
    const time = this.data.time;
    return { begin: time[0], end: time[time.length - 1] };
  }

  draw(t) {
    this.t = t;
    const panel = this.panels[this.choice.value], values = this.data.array(panel.values), F = this.data.time.length, n = panel.names.length;
    const ratio = window.devicePixelRatio || 1, w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    if (!w || !h) return;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(h * ratio);
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    const style = getComputedStyle(document.documentElement);
    const { begin, end } = this.span();
    let low = Infinity, high = -Infinity;
    for (const x of values) if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); }
    if (!(high > low)) { const middle = Number.isFinite(low) ? low : 0; low = middle - 1; high = middle + 1; }
    const pad = 0.06 * (high - low), x = (time) => ((time - begin) / (end - begin || 1)) * w;
    const y = (v) => h - ((v - low + pad) / (high - low + 2 * pad)) * h;
    pen.strokeStyle = style.getPropertyValue("--rule");
    pen.lineWidth = 1;
    if (low < 0 && high > 0) { pen.beginPath(); pen.moveTo(0, y(0)); pen.lineTo(w, y(0)); pen.stroke(); }
    const step = Math.max(1, Math.floor(F / (2 * w)));
    for (let k = 0; k < n; k++) {
      pen.beginPath();
      pen.strokeStyle = COLORS[k % COLORS.length];
      pen.setLineDash(k < COLORS.length ? [] : [4, 3]);
      pen.lineWidth = 1.4;
      for (let f = 0; f < F; f += step) pen[f ? "lineTo" : "moveTo"](x(this.data.time[f]), y(values[f * n + k]));
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.strokeStyle = style.getPropertyValue("--ink");
    pen.beginPath(); pen.moveTo(x(t), 0); pen.lineTo(x(t), h); pen.stroke();
    pen.font = "10px system-ui, sans-serif";
    for (const [text, bottom] of [[shortNumber(high), 11], [shortNumber(low), h - 4]]) {
      pen.fillStyle = style.getPropertyValue("--paper"); // curves do not run through numbers
      pen.fillRect(1, bottom - 10, pen.measureText(text).width + 4, 13);
      pen.fillStyle = style.getPropertyValue("--faint");
      pen.fillText(text, 3, bottom);
    }
    const near = this.nearest(t);
    this.legend.replaceChildren(...panel.names.slice(0, 12).map((name, k) => {
      const entry = document.createElement("span");
      const dot = document.createElement("i");
      dot.style.background = COLORS[k % COLORS.length];
      entry.append(dot, `${name} ${shortNumber(values[near * n + k])}`);
      return entry;
    }));
  }

  nearest(t) {
    const time = this.data.time;
    let low = 0, high = time.length - 1;
    while (high - low > 1) { const m = (low + high) >> 1; if (time[m] <= t) low = m; else high = m; }
    return t - time[low] < time[high] - t ? low : high;
  }
}
