import { basis, h, hidden } from './element.ts'

import type { Header, Message, Refusal } from './state.ts'

/** One message of an exchange: header fields, then the body. */
export function messageView(title: string, { headers, body }: Message, first = ''): HTMLElement {
  const lines = headers.map(([name, value]: Header) => `${name}: ${value}`)
  return h(
    'div',
    { class: 'message' },
    h('h3', {}, title),
    h('pre', {}, h('code', {}, [first, ...lines].filter(Boolean).join('\n'))),
    body !== undefined && (body === null ? note('The body was not read.') : bodyView(body)),
  )
}

function bodyView({ text, bytes, is_cut }: NonNullable<Message['body']>): HTMLElement {
  if (bytes === 0) return note('No body.')
  const pre = h('pre', {}, h('code', {}, pretty(text)))
  return is_cut ? h('div', {}, pre, note(`Only the start of ${bytes} bytes is kept.`)) : pre
}

/** Formats JSON with line breaks; other text stays unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A text with a copy button. */
export function copyable(id: string, title: string, text: string): HTMLElement {
  const attributes = { type: 'button', 'data-action': 'copy', 'data-from': id }
  return h(
    'div',
    { class: 'message' },
    h('h3', {}, title, ' ', h('button', attributes, 'Copy', hidden(` ${title} ${id}`))),
    h('pre', {}, h('code', { id }, text)),
  )
}

/** Why a request was refused: the message of the response, then the entry of its code in the error catalogue. */
export function refusalView(
  { code, detail, errors, when, fix, question }: Refusal,
  anchor: string,
): HTMLElement {
  return h(
    'div',
    { class: 'refusal', ...(anchor && { id: anchor }) },
    h('h3', {}, h('code', {}, code), ' ', basis(question, 'The code and its meaning are')),
    h('p', {}, detail),
    errors.length > 0 &&
      h('ul', {}, ...errors.map((it) => h('li', {}, h('code', {}, it.pointer || '/'), ` ${it.detail}`))),
    when !== '' && when !== detail && h('p', {}, h('b', {}, 'When: '), when),
    fix !== '' && h('p', {}, h('b', {}, 'Fix: '), fix),
  )
}

export function note(text: string): HTMLElement {
  return h('p', { class: 'soft' }, text)
}
