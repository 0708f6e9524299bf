/*
 * The flame graph: nodes in columns of numbers, each before its children. Only what is wider than a third of a
 * pixel is drawn, and only rows of which something can be seen: one deep stack of a single sample would else
 * make a picture of many empty rows. The tree can be turned round: from the functions that ran to their callers.
 */
const ROW = 18, LEAST = 0.35, LEAST_ROW = 2;
let graph = null, tree = null, places = [], rows = 0;
let zoomed = 0, selected = -1, found = null, matched = new Set();
/* for scripts that add to the page: the part of a graph that is shown, what follows the selection, what else the address keeps */
let narrow = g => g, onSelect = () => {}, placesByTime = () => null;
const moreFragment = {};	/* name: function that says its value */
let icicle = false, inverted = false, earlier = false, coloring = "library";

/*
 * ---- trees: parent, children, depth, name, module, kernel, total, self by node. Where two profiles are compared
 * also before: the total in the earlier one, and growth: how much of all the node itself grew
 */
function makeTree(g) {
	const t = { ...g, parent: [], children: [], nr: g.total.length }, stack = [];

	for (let i = 0; i < t.nr; i++) {
		stack.length = g.depth[i];
		t.parent[i] = stack.length ? stack[stack.length - 1] : -1;
		t.children[i] = [];
		if (t.parent[i] >= 0)
			t.children[t.parent[i]].push(i);
		stack.push(i);
	}
	return t;
}

const ownOf = (t, sums, i) => sums[i] - t.children[i].reduce((sum, c) => sum + sums[c], 0);
const share = (sums, value) => value / Math.max(sums[0], 1);

/* a function of a tree that was turned round grows with all its callers */
function addGrowth(t) {
	const part = (sums, i) => share(sums, inverted ? sums[i] : ownOf(t, sums, i));

	t.growth = t.total.map((_, i) => i || !inverted ? part(t.total, i) - part(t.before, i) : 0);
	t.mostGrowth = t.growth.reduce((most, g) => Math.max(most, Math.abs(g)), 1e-9);
}

/* the earlier profile decides about widths, and the later one is what it is compared with */
function swap(t) {
	[t.total, t.before] = [t.before, t.total];
	t.self = t.total.map((_, i) => ownOf(t, t.total, i));
}

/* below the root: what ran itself, then its callers. The part of a node that was pruned counts as its own */
function invert(t) {
	const r = { texts: t.texts, parent: [-1], children: [[]], depth: [0], name: [t.name[0]], module: [0],
		    kernel: [0], tint: t.tint && [0], total: [t.total[0]], self: [0], before: t.before && [t.before[0]], nr: 1 };
	const ids = new Map();

	for (let i = 1; i < t.nr; i++) {
		const own = ownOf(t, t.total, i), before = t.before ? ownOf(t, t.before, i) : 0;

		if (own <= 0 && before <= 0)
			continue;
		let at = 0;
		for (let from = i; from > 0; from = t.parent[from]) {
			const key = at + ":" + t.name[from] + ":" + t.module[from] + ":" + (t.tint ? t.tint[i] : "");
			let id = ids.get(key);

			if (id == null) {
				id = r.nr++;
				ids.set(key, id);
				r.parent[id] = at;
				r.children[id] = [];
				r.children[at].push(id);
				r.depth[id] = r.depth[at] + 1;
				r.name[id] = t.name[from];
				r.module[id] = t.module[from];
				r.kernel[id] = t.kernel[from];
				if (r.tint)
					r.tint[id] = t.tint[i];
				r.total[id] = r.self[id] = 0;
				if (r.before)
					r.before[id] = 0;
			}
			r.total[id] += own;
			if (r.before)
				r.before[id] += before;
			at = id;
		}
		r.self[at] += own;
	}
	for (const c of r.children)
		c.sort((a, b) => r.total[b] - r.total[a]);
	return r;
}

const nameOf = i => tree.texts[tree.name[i]];
/* the reason why a stack is not complete, which is no function: "cut" of "[stack cut]" */
const stackEnd = (name, module) => module ? "" : (/^\[stack ([\w -]+)\]$/.exec(name) || [])[1] || "";
const endText = why => "stacks are not complete: " + why.replaceAll("-", " ");
const moduleOf = i => tree.texts[tree.module[i]];
const percentOf = (t, v) => (share(t.total, v) * 100).toFixed(2) + " %";
const percent = v => percentOf(tree, v);
const signed = v => (v < 0 ? "" : "+") + (v * 100).toFixed(2) + " %";

function describe(i, name = nameOf(i)) {
	const language = coloring == "language" && languageAt(i);

	const end = stackEnd(nameOf(i), moduleOf(i));

	return (end ? endText(end) : name) + (moduleOf(i) ? " [" + moduleOf(i) + "]" : "") + (language ? " \u00b7 " + language : "") + "\n" + percent(tree.total[i]) +
		" of all, " + tree.total[i].toLocaleString("en") + " (" + percent(tree.self[i]) + " itself)" +
		(tree.before ? "\n" + (earlier ? "after " : "before ") +
		 (share(tree.before, tree.before[i]) * 100).toFixed(2) + " %; " +
		 (inverted ? "" : "itself ") + signed(tree.growth[i] * (earlier ? -1 : 1)) : "");
}

/* ---- colors */
function hash(text) {
	let h = 2166136261;

	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619) >>> 0;
	return h;
}

/* languages by what their names look like; others of a file are C */
const languages = [
	["Python", 265, /^py::|\.py\b/],
	["JavaScript", 52, /^(LazyCompile|Function|Script|Eval|JS|RegExp|Builtin|BytecodeHandler):|\.m?js:\d/],
	["Java", 110, /^L?[\w$]+(\/[\w$]+)+;?(::|\.)|^(java|javax|jdk|sun|com|org|scala|kotlin)\.\w+\.|^Interpreter$/],
	["Rust", 8, /^<.* as .*>::|^(core|alloc)::|^std::(rt|sys|io|fs|panic|panicking|collections|sync|env)::|\{\{?closure|::h[0-9a-f]{16}$/],
	["Go", 182, /^([\w-]+\.[\w.-]+\/[\w./-]+|runtime|main|sync|net|os|fmt|syscall|internal|encoding|reflect|strings|bytes|time)(\/[\w-]+)*\.[(\w]/],
	["C++", 30, /::|^operator|^_Z|[\w~]\(.*\)|<.*>/],
];
const otherLanguages = { C: 75, kernel: 205 };

/* "" where the frame is not a function */
function languageOf(name, module, kernel) {
	if (kernel)
		return "kernel";
	const known = languages.find(([, , test]) => test.test(name.replace(/ \(inlined\)$/, "")));

	return known ? known[0] : module && name[0] != "[" ? "C" : "";
}
const languageAt = i => languageOf(nameOf(i), moduleOf(i), tree.kernel[i]);
const languageHue = language => otherLanguages[language] || (languages.find(([name]) => name == language) || [])[1];

/* libraries by what ran in them: hues far from each other, and from that of the kernel */
const KERNEL_HUE = 205;
let modules = [];		/* [id of text, hue, own period], the largest first */
function addModules(t) {
	const sums = new Map();

	t.module.forEach((m, i) => m && !t.kernel[i] && sums.set(m, (sums.get(m) || 0) + t.self[i]));
	modules = [...sums].sort((a, b) => b[1] - a[1] || (t.texts[a[0]] < t.texts[b[0]] ? -1 : 1)).map(([m, sum], at) =>
		[m, (KERNEL_HUE + 40 + (30 + at * 173) % 280) % 360, sum]);
	t.hue = new Map(modules.map(([m, hue]) => [m, hue]));
}
const kernelColor = i => `hsl(${KERNEL_HUE} ${dimmed(55)}% ${shade(i)}%)`;
const noModule = i => `hsl(40 ${dimmed(stackEnd(nameOf(i), "") ? 0 : 20)}% ${shade(i)}%)`;

const colorings = {
	library: i => tree.kernel[i] ? kernelColor(i) : tree.module[i] ?
		`hsl(${graph.hue.get(tree.module[i])} ${dimmed(65)}% ${shade(i)}%)` : noModule(i),
	"kernel or user": i => `hsl(${tree.kernel[i] ? 205 : nameOf(i).endsWith(" (inlined)") ? 150 : 28} ` +
		`${dimmed(70)}% ${shade(i)}%)`,
	language: i => languageAt(i) ? `hsl(${languageHue(languageAt(i))} ${dimmed(70)}% ${shade(i)}%)` :
		`hsl(40 ${dimmed(12)}% ${shade(i)}%)`,
	function: i => `hsl(${hash(nameOf(i)) % 55} ${dimmed(80)}% ${shade(i)}%)`,
};
/* red grew, blue shrank; pale: hardly */
function growthColor(i) {
	const part = tree.growth[i] * (earlier ? -1 : 1) / tree.mostGrowth, strength = Math.sqrt(Math.abs(part));

	return `hsl(${part < 0 ? 220 : 5} ${dimmed(strength * 85)}% ${isDark() ? 25 + 20 * strength : 90 - 32 * strength}%)`;
}
const isCompared = data.graphs.some(g => g.before);
if (isCompared)
	colorings.change = growthColor;
/* colors of the program that wrote the page: [title, hue, saturation] by what is in tree.tint, from 1 on */
const tints = (data.graphs.find(g => g.tints) || {}).tints;
const tintColor = (t, light) => `hsl(${t[1]} ${dimmed(t[2])}% ${light}%)`;
if (tints)
	colorings[tints.name] = i => tree.tint[i] ? tintColor(tints.rows[tree.tint[i] - 1], shade(i)) : noModule(i);
function tintLegend() {
	const sums = tints.rows.map(() => 0);

	graph.tint.forEach((t, i) => { sums[t - 1] += t ? ownOf(graph, graph.total, i) : 0; });
	return tints.rows.map((t, at) => [`${t[0]} ${percentOf(graph, sums[at])}`, tintColor(t, isDark() ? 35 : 70)])
		.filter((_, at) => sums[at]);
}
/* what colors mean: pairs of a text and a color; functions have none */
const LEGEND = 8;
const swatch = hue => `hsl(${hue} ${dimmed(65)}% ${isDark() ? 35 : 70}%)`;
const legends = {
	library: () => [...modules.slice(0, LEGEND).map(([m, hue, sum]) => [`${graph.texts[m]} ${percentOf(graph, sum)}`, swatch(hue)]),
		...(modules.length > LEGEND ? [[`${modules.length - LEGEND} more`, ""]] : []), ...kernelLegend()],
	"kernel or user": () => [["user", swatch(28)], ["inlined", swatch(150)], ["kernel", swatch(205)]],
	language: () => [...new Set(graph.total.map((_, i) => languageOf(graph.texts[graph.name[i]], graph.texts[graph.module[i]],
		graph.kernel[i])))].filter(l => l).map(l => [l, swatch(languageHue(l))]),
	function: () => [],
	change: () => [["grew", swatch(5)], ["shrank", swatch(220)]],
	...(tints ? { [tints.name]: tintLegend } : {}),
};
const kernelLegend = () => {
	const sum = graph.self.reduce((s, v, i) => s + (graph.kernel[i] ? v : 0), 0);

	return graph.kernel.some(k => k) ? [[`kernel ${percentOf(graph, sum)}`, swatch(KERNEL_HUE)]] : [];
};
function showLegend() {
	legend.replaceChildren(...legends[coloring]().map(([text, color]) => element("span", {},
		...(color ? [element("i", { style: "background:" + color })] : []), text)));
}
const usualColoring = isCompared ? "change" : tints ? tints.name : "library";
const isDark = () => document.documentElement.classList.contains("dark");
const dimmed = s => isDark() ? s * 0.6 : s;
const shade = i => (isDark() ? 30 : 66) + hash(nameOf(i)) % 10;

/* ---- the page */
const canvas = element("canvas", { tabindex: "0", role: "application", "aria-label":
	"Flame graph. Arrow keys select frames, Enter zooms, 0 shows all, slash searches." });
const search = element("input", { type: "search", placeholder: "search (regular expression)", "aria-label": "search" });
const count = element("span", { id: "found", "aria-live": "polite" });
const status = element("div", { id: "status", "aria-live": "polite" });
const chart = element("div", { id: "chart" }, canvas);
const events = element("select", { "aria-label": "event", onchange: () => { open(+events.value); showRoot(); } },
	...data.graphs.map((g, i) => element("option", { value: i }, g.event || "event " + i)));
const colors = element("select", { "aria-label": "color by", onchange: () => { coloring = colors.value; showLegend(); changed(); } },
	...Object.keys(colorings).map(c => element("option", { value: c }, "color: " + c)));
const notes = element("div", { class: "notes" });
const legend = element("div", { class: "legend" });
/* the programs that ran: the first frames are threads' names where these are keys */
const title = element("h1", {}, data.title);
function showTitle() {
	const programs = graph.children[0].filter(i => !graph.module[i]).sort((a, b) => graph.total[b] - graph.total[a]).map(i =>
		graph.texts[graph.name[i]]);
	const names = programs.slice(0, 2).join(", ") + (programs.length > 2 ? ` and ${programs.length - 2} more` : "");

	title.textContent = [data.title + (names ? " of " + shortName(names) : ""), data.graphs[+events.value].event].filter(x => x).join(", ");
	document.title = title.textContent;
}

events.hidden = data.graphs.length < 2;
document.body.append(
	element("header", {}, title, events, search, count,
		element("button", { onclick: hang, title: "root above or below (i)" }, "icicle"),
		element("button", { onclick: turn, title: "begin with what ran (v)" }, "inverted"),
		element("button", { onclick: look, title: "widths of the earlier profile (b)",
			...(isCompared ? {} : { hidden: "" }) },
			"before"), colors,
		element("button", { onclick: reset, title: "show all (0)" }, "reset"),
		element("button", { onclick: toggleTheme, title: "light or dark" }, "\u25d0")),
	status, legend, chart, notes, ...footer(),
	element("div", { class: "notes" }, "A click or Enter zooms; Backspace goes one frame out, 0 shows all; arrow keys " +
		"select frames; / searches; i turns the picture, v the stacks. The address keeps what is shown." +
		(isCompared ? " Red frames themselves grew, blue ones shrank; b shows the profile before." : "")), tip);

/* ---- drawing */
let width = 0, offset = 0, pending = false;

/* places of the nodes that can be seen: the ancestors of the zoomed one are as wide as the picture */
function layout() {
	const line = [], scale = width / Math.max(tree.total[zoomed], 1), stack = [], widths = [], ordered = placesByTime();

	if (ordered) {
		places = ordered;
		rows = places.reduce((most, p) => Math.max(most, p.depth + 1), 1);
		return;
	}
	places = [];
	for (let i = zoomed; i >= 0; i = tree.parent[i])
		line.unshift(i);
	line.forEach((i, depth) => places.push({ i, x: 0, w: width, depth, faint: i != zoomed }));
	stack.push([zoomed, 0, line.length - 1]);
	while (stack.length) {
		const [at, left, depth] = stack.pop();
		let x = left;

		for (const c of tree.children[at]) {
			const w = tree.total[c] * scale;

			if (w >= LEAST) {
				places.push({ i: c, x, w, depth: depth + 1 });
				widths[depth + 1] = (widths[depth + 1] || 0) + w;
				stack.push([c, x, depth + 1]);
			}
			x += w;
		}
	}
	for (rows = line.length; widths[rows] >= LEAST_ROW;)
		rows++;
}
const topOf = p => (icicle || inverted ? p.depth : rows - 1 - p.depth) * ROW;

function draw() {
	const g = canvas.getContext("2d"), scale = devicePixelRatio || 1, text = color("text"), match = color("match");
	const height = rows * ROW, seen = Math.min(height, innerHeight);

	pending = false;
	offset = Math.max(0, Math.min(scrollY - chart.offsetTop, height - seen));
	chart.style.height = height + "px";
	canvas.width = width * scale;
	canvas.height = seen * scale;
	canvas.style.height = seen + "px";
	canvas.style.top = offset + "px";
	g.setTransform(scale, 0, 0, scale, 0, -offset * scale);
	g.font = "12px system-ui, sans-serif";
	for (const p of places) {
		const y = topOf(p), end = stackEnd(nameOf(p.i), moduleOf(p.i)), name = end ? endText(end) : nameOf(p.i);

		if (y + ROW < offset || y > offset + seen)
			continue;
		g.globalAlpha = p.faint ? 0.5 : 1;
		g.fillStyle = matched.has(p.i) ? match : colorings[coloring](p.i);
		g.fillRect(p.x, y, Math.max(p.w - (p.w > 2 ? 0.6 : 0), 0.3), ROW - 1);
		if (p.i == selected) {
			g.strokeStyle = text;
			g.strokeRect(p.x + 0.5, y + 0.5, Math.max(p.w - 1, 1), ROW - 2);
		}
		if (p.w < 25)
			continue;
		g.fillStyle = matched.has(p.i) ? color("page") : text;
		const room = Math.floor((p.w - 6) / 6.2);
		g.save();
		g.beginPath();
		g.rect(p.x, y, p.w - 2, ROW);
		g.clip();
		g.fillText(name.length > room ? name.slice(0, Math.max(room - 1, 1)) + "\u2026" : name, p.x + 3, y + 13);
		g.restore();
	}
	g.globalAlpha = 1;
	/* for those who test, and for scripts */
	Object.assign(document.body.dataset, { zoomed: nameOf(zoomed), drawn: places.length, matches: matched.size });
}

function redraw() {
	if (!pending)
		requestAnimationFrame(draw);
	pending = true;
}

function changed() {
	layout();
	writeFragment({ event: +events.value || "", node: zoomed || "", search: search.value, color: coloring ==
		usualColoring ? "" : coloring, icicle: icicle ? 1 : "", inverted: inverted ? 1 : "",
		before: earlier ? 1 : "",
		...Object.fromEntries(Object.entries(moreFragment).map(([key, value]) => [key, value()])) });
	redraw();
}

/* a picture may be higher than the window, with its root at the bottom */
function showRoot() {
	draw();
	if (!document.getElementById("functions"))
		scrollTo(0, icicle || inverted ? 0 : chart.offsetTop + rows * ROW + 4 - innerHeight);
}

/* ---- actions */
function open(i) {
	graph = makeTree(narrow(data.graphs[i]));
	if (earlier && graph.before)
		swap(graph);
	tree = inverted ? invert(graph) : graph;
	if (tree.before)
		addGrowth(tree);
	zoomed = 0;
	selected = -1;
	events.value = i;
	addModules(graph);
	showTitle();
	showLegend();
	notes.textContent = data.graphs[i].pruned ? `${data.graphs[i].pruned} frames with less than ` +
		`${data.graphs[i].least.toLocaleString("en")} of ${data.graphs[i].total[0].toLocaleString("en")} are left out.` : "";
	find();
}
function turn() {
	inverted = !inverted;
	open(+events.value);
	showRoot();
}
function hang() {
	icicle = !icicle;
	changed();
	showRoot();
}
function look() {
	earlier = isCompared && !earlier;
	open(+events.value);
}
function zoom(i) {
	zoomed = i;
	select(i);
	changed();
}
function select(i) {
	const [what, numbers = "", ...more] = i < 0 ? [""] : describe(i).split("\n");
	const long = what.length > 2 * LONG_NAME;	/* who scrolls sees all of it */

	selected = i;
	status.textContent = [(long ? [numbers, what] : [what, numbers]).filter(x => x).join(" \u00b7 "), ...more].join("\n");
	onSelect(i);
	redraw();
}
function reset() {
	search.value = "";
	find();
	zoom(0);
	select(-1);
}

/* the share of what matches: a match inside of another one is not counted again */
function find() {
	let share = 0;

	found = search.value ? pattern(search.value) : null;
	matched = new Set();
	if (found) {
		const inside = new Uint8Array(tree.nr), hit = new Map();

		for (let i = 1; i < tree.nr; i++) {
			const key = tree.name[i];

			if (!hit.has(key))
				hit.set(key, found.test(nameOf(i)));
			inside[i] = inside[tree.parent[i]];
			if (!hit.get(key))
				continue;
			matched.add(i);
			share += inside[i] ? 0 : tree.total[i];
			inside[i] = 1;
		}
	}
	count.textContent = found ? `${percent(share)} in ${matched.size} frame${matched.size == 1 ? "" : "s"}` : "";
	changed();
}

const placeAt = (x, y) => places.find(p => x >= p.x && x < p.x + p.w && y >= topOf(p) && y < topOf(p) + ROW);

/* the selection moves to a neighbour in the picture */
function walk(direction) {
	const at = selected < 0 ? zoomed : selected, parent = tree.parent[at];
	const siblings = parent < 0 ? [at] : tree.children[parent], n = siblings.indexOf(at);
	const next = direction == "in" ? tree.children[at].reduce((a, b) => a < 0 || tree.total[b] > tree.total[a] ? b : a, -1) :
		direction == "out" ? parent : siblings[n + direction];

	if (selected < 0)
		select(zoomed);
	else if (next != null && next >= 0)
		select(next);
}

/* ---- events */
canvas.addEventListener("pointermove", e => {
	const p = e.pointerType == "touch" ? null : placeAt(e.offsetX, e.offsetY + offset);

	showTip(p ? describe(p.i, shortName(nameOf(p.i))) : "", e.clientX, e.clientY);
});
canvas.addEventListener("pointerleave", () => showTip(""));
canvas.addEventListener("click", e => {
	const p = placeAt(e.offsetX, e.offsetY + offset);

	if (p)
		zoom(p.i);
});
const up = () => walk(icicle || inverted ? "out" : "in"), down = () => walk(icicle || inverted ? "in" : "out");
const keys = {
	ArrowUp: up, ArrowDown: down, ArrowLeft: () => walk(-1), ArrowRight: () => walk(1),
	Enter: () => selected >= 0 && zoom(selected), Backspace: () => zoomed && zoom(tree.parent[zoomed]),
	0: reset, Escape: reset, "/": () => search.focus(), i: hang, v: turn,
	b: look,
};
addEventListener("keydown", e => {
	if (e.target == search) {
		if (e.key == "Escape" || e.key == "Enter")
			canvas.focus();
		return;
	}
	if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key] || e.target.tagName == "SELECT" ||
	    (e.target.tagName == "BUTTON" && e.key == "Enter"))
		return;
	keys[e.key]();
	e.preventDefault();
});
search.addEventListener("input", find);
addEventListener("resize", () => { width = chart.clientWidth; changed(); });
addEventListener("scroll", redraw);
/* somebody typed another fragment; writing it does not come here */
addEventListener("hashchange", () => location.reload());
onTheme.push(redraw, showLegend);

const link = readFragment();
width = chart.clientWidth;
icicle = link.get("icicle") == "1";
inverted = link.get("inverted") == "1";
earlier = isCompared && link.get("before") == "1";
coloring = link.get("color") in colorings ? link.get("color") : usualColoring;
colors.value = coloring;
search.value = link.get("search") || "";
open(Math.min(+link.get("event") || 0, data.graphs.length - 1));
if (+link.get("node") > 0 && +link.get("node") < tree.nr)
	zoom(+link.get("node"));
applyTheme();
addEventListener("load", showRoot);
