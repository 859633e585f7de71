import { visible } from './text.ts'

/** An XML element; a string is text, undefined is nothing. */
export interface Element {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | number | undefined>>
  readonly children?: readonly (Element | string | undefined)[]
}

/**
 * An XML 1.0 document. Whatever text it is given stays text: what XML cannot hold is written out.
 *
 * @example
 * renderXml({ name: 'a', attributes: { of: '"b"' }, children: ['<c>'] }) // …<a of="&quot;b&quot;">&lt;c&gt;</a>
 */
export function renderXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root, '')}\n`
}

function render({ name, attributes = {}, children = [] }: Element, indent: string): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const start = `${indent}<${name}${pairs.map(([key, value]) => ` ${key}="${attribute(String(value))}"`).join('')}`
  const content = children.filter((child) => child !== undefined)
  if (content.length === 0) return `${start}/>`
  if (content.every((child) => typeof child === 'string')) {
    return `${start}>${content.map(text).join('')}</${name}>`
  }
  // Text among elements would get the indentation as well, and no report has any.
  const inner = content.map((child) =>
    typeof child === 'string' ? text(child) : render(child, `${indent}  `),
  )
  return `${start}>\n${inner.join('\n')}\n${indent}</${name}>`
}

function text(value: string): string {
  return visible(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A parser turns a bare newline of an attribute into a space. */
function attribute(value: string): string {
  return text(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
