type Attributes = Readonly<Record<string, string | boolean>>
type Child = Node | string | false

/** Creates an element. String children become text nodes, so nothing from a request is parsed as HTML. */
export function h(name: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== false))
  return element
}

/** Text for screen readers only: it distinguishes buttons that look the same. */
export function hidden(text: string): HTMLElement {
  return h('span', { class: 'hidden' }, text)
}

/** An element that exists in the HTML. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element "${id}"`)
  return element
}
