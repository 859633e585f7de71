type Attributes = Readonly<Record<string, string | boolean>>
type Child = Node | string | false

/**
 * An element. Children that are strings become text, whatever is in them; that is the only way in which this page
 * writes anything that came from a request.
 */
export function h(name: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== false))
  return element
}

/** What only those who listen need: it tells apart buttons that look the same. */
export function hidden(text: string): HTMLElement {
  return h('span', { class: 'hidden' }, text)
}

/** An element of the document, which has it. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element "${id}"`)
  return element
}
