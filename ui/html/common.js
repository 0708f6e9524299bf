/* What pages share: elements, the theme, durations, the tooltip, the state in the fragment of the address. */
const data = JSON.parse(document.getElementById("data").textContent);

/* an element with attributes and children; texts are texts, never markup */
function element(name, attributes, ...children) {
	const e = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		if (key.startsWith("on"))
			e.addEventListener(key.slice(2), value);
		else
			e.setAttribute(key, value);
	e.append(...children);
	return e;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let theme = null;		/* "dark", "light"; null: the system's */
const onTheme = [];		/* called when colours change */

function applyTheme() {
	document.documentElement.classList.toggle("dark", theme ? theme == "dark" : dark.matches);
	for (const f of onTheme)
		f();
}
function toggleTheme() {
	theme = document.documentElement.classList.contains("dark") ? "light" : "dark";
	applyTheme();
}
dark.addEventListener("change", applyTheme);

function color(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/* what a noun ends with after this number */
function plural(nr) {
	return nr == 1 ? "" : "s";
}

function duration(ns) {
	for (const [size, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "us"]])
		if (Math.abs(ns) >= size)
			return (ns / size).toFixed(3) + " " + name;
	return Math.round(ns) + " ns";
}

/* as a regular expression; as plain text if it is none */
function pattern(text) {
	try {
		return new RegExp(text, "i");
	} catch (e) {
		return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
	}
}

/* names of C++ can be longer than a page: what a row has room for. The title has the whole name */
const LONG_NAME = 160;

function shortName(name) {
	return name.length <= LONG_NAME ? name : name.slice(0, LONG_NAME * 2 / 3) + " \u2026 " + name.slice(-LONG_NAME / 3);
}

const tip = element("div", { id: "tip", hidden: "" });

function showTip(text, x, y) {
	tip.hidden = !text;
	if (!text)
		return;
	tip.textContent = text;
	tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
	tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? Math.max(4, y - tip.offsetHeight - 10) :
			 y + 18) + "px";
}

/* "#a=1&b=x": what a link to this view says */
function readFragment() {
	return new URLSearchParams(location.hash.slice(1));
}
function writeFragment(values) {
	const p = new URLSearchParams();

	for (const [key, value] of Object.entries(values))
		if (value !== "" && value != null)
			p.set(key, value);
	history.replaceState(null, "", p.size === 0 || !p.toString() ? location.pathname + location.search :
			     "#" + p);
}

/* "os-release" as people read it */
const factWords = { cpu: "CPU", cpus: "CPUs", "cpu-id": "CPU identification", pmus: "PMUs", arch: "architecture", "os-release": "kernel",
	"e-machine": "ELF machine", "e-flags": "ELF flags", "numa-nodes": "NUMA nodes" };
const factName = key => factWords[key] || key.replace(/-(ns|bytes)$/, "").replaceAll("-", " ").replace(/\bcpus\b/g, "CPUs");

function sizeText(bytes) {
	for (const [size, name] of [[2 ** 30, "GB"], [2 ** 20, "MB"], [2 ** 10, "KB"]])
		if (bytes >= size)
			return (bytes / size).toFixed(1).replace(".0", "") + " " + name;
	return bytes + " bytes";
}

/* a fact's value in words: lists and objects, too */
function factText(key, value) {
	if (Array.isArray(value))
		return value.map(v => factText("", v)).join(value.some(v => typeof v == "object") ? "; " : ", ");
	if (value && typeof value == "object")
		return Object.entries(value).map(([k, v]) => factName(k) + " " + factText(k, v)).join(", ");
	if (/bytes$/.test(key) && isFinite(value))
		return sizeText(+value);
	if (/-ns$/.test(key) && isFinite(value))
		return (+value / 1e9).toFixed(6) + " s";
	return String(value);
}
function factOf(key) {
	const f = data.facts.find(f => f[0] == key);

	return f ? parsed(f[1]) : null;
}
/* lists and objects come as JSON */
function parsed(text) {
	try {
		return /^[[{]/.test(text) ? JSON.parse(text) : text;
	} catch (e) {
		return text;
	}
}

/* facts and notes below a picture */
function footer() {
	const parts = [];

	if (data.notes.length)
		parts.push(element("div", { class: "notes" }, "Notes: " + data.notes.join("; ")));
	if (data.facts.length)
		parts.push(element("details", {}, element("summary", {}, "About this recording"),
			element("table", {}, ...data.facts.map(f => element("tr", {},
				element("td", {}, factName(f[0])), element("td", {}, factText(f[0], parsed(f[1]))))))));
	return parts;
}
