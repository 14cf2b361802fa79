// Turns a region into fresh HTML but keeps everything that a person touched: focus, ticks, open details.

const KEPT = { INPUT: ["checked", "value"], DETAILS: ["open"], SELECT: ["value"] };

export function morph(region, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  children(region, fresh.content);
}

function key(node) {
  // The attribute: a field with the name "id" hides the property of its form.
  return node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("id") || node.dataset?.key || "" : "";
}

function alike(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && key(a) === key(b);
}

function children(old, fresh) {
  const keyed = new Map([...old.children].filter(key).map((node) => [key(node), node]));
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    let found = at;
    const name = key(wanted);
    if (name && keyed.has(name) && alike(keyed.get(name), wanted)) {
      found = keyed.get(name);
      if (found !== at) old.insertBefore(found, at);
      else at = at.nextSibling;
    } else if (found && !key(found) && alike(found, wanted)) {
      at = at.nextSibling;
    } else {
      old.insertBefore(wanted, at);
      continue;
    }
    node(found, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function node(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (old.isEqualNode(fresh)) return;
  const kept = KEPT[old.nodeName] ?? [];
  for (const { name, value } of [...fresh.attributes]) {
    if (!kept.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!kept.includes(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  children(old, fresh);
}
