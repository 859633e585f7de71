/**
 * Updates the children of an element to match `children` and leaves equal nodes untouched. Focus, scroll positions,
 * selections and typed text survive. Children with a `data-key` are matched by it.
 */
export function morphChildren(parent: Element, children: readonly Node[]): void {
  const kept = keyedOf(children)
  for (const [key, node] of keyedOf(parent.childNodes)) if (!kept.has(key)) parent.removeChild(node)
  const present = keyedOf(parent.childNodes)
  let cursor = parent.firstChild
  for (const child of children) {
    const match = keyOf(child) === undefined ? sameKind(cursor, child) : present.get(keyOf(child) ?? '')
    if (match && match === cursor) cursor = cursor.nextSibling
    else parent.insertBefore(match ?? child, cursor)
    if (match) morph(match, child)
  }
  while (cursor) {
    const next = cursor.nextSibling
    parent.removeChild(cursor)
    cursor = next
  }
}

function morph(from: Node, to: Node): void {
  if (from instanceof Element && to instanceof Element) {
    morphAttributes(from, to)
    morphChildren(from, [...to.childNodes])
  } else if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue
}

/** The user opens and closes `details`, so this attribute is never changed. */
const READERS = 'open'

function morphAttributes(from: Element, to: Element): void {
  for (const { name } of [...from.attributes]) {
    if (name !== READERS && !to.hasAttribute(name)) from.removeAttribute(name)
  }
  for (const { name, value } of to.attributes) {
    if (name !== READERS && from.getAttribute(name) !== value) from.setAttribute(name, value)
  }
}

function keyedOf(nodes: Iterable<Node>): Map<string, Node> {
  const keyed = new Map<string, Node>()
  for (const node of nodes) {
    const key = keyOf(node)
    if (key !== undefined) keyed.set(key, node)
  }
  return keyed
}

function keyOf(node: Node): string | undefined {
  return node instanceof HTMLElement ? node.dataset.key : undefined
}

function sameKind(node: Node | null, other: Node): Node | undefined {
  return node && keyOf(node) === undefined && node.nodeName === other.nodeName ? node : undefined
}
