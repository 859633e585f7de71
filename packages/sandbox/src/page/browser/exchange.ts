import { basis, h, hidden } from './element.ts'
import type { Exchange, Header, Message, Refusal } from './state.ts'

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
  catalogue = '',
): HTMLElement {
  const name = h('code', {}, code)
  return h(
    'div',
    { class: 'refusal', ...(anchor && { id: anchor }) },
    h(
      'h3',
      {},
      catalogue ? h('a', { href: `${catalogue}#${code}` }, name) : name,
      ' ',
      basis(question, 'The code and its meaning are'),
    ),
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

/** Headers that curl sets itself. */
const OWN =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|sec-.*|origin|referer|priority|cache-control|pragma|cookie)$/
const MASK = /•+/

/**
 * A curl command that repeats the request, with placeholders for credentials; undefined if the body is not available.
 */
export function curlOf({ method, path, query, request }: Exchange): string | undefined {
  const { headers, body } = request
  if (body?.is_cut) return undefined
  const data = body && body.bytes > 0 ? [`--data-raw ${withPlaceholders(quoted(body.text))}`] : []
  return [
    // Otherwise curl sends one request for each value of `[1-3]` or `{a,b}`.
    `curl --globoff --request ${method}`,
    ...headers.filter(([name]) => !OWN.test(name)).map(option),
    ...data,
    quoted(location.origin + path + query),
  ].join(' \\\n  ')
}

function option([name, value]: Header): string {
  if (name !== 'authorization') return `--header ${quoted(`${name}: ${value}`)}`
  return /^basic/i.test(value)
    ? '--user "$CLIENT_KEY:$CLIENT_SECRET"'
    : `--header "authorization: ${value.replace(MASK, '$ACCESS_TOKEN')}"`
}

/** Inserts a shell variable, named after the field, outside of the single quotes. */
function withPlaceholders(text: string): string {
  const variable = (_: string, name: string, colon: string) => `"${name}"${colon}"'"$${name.toUpperCase()}"'"`
  return text.replace(/"(\w+)"(\s*:\s*)"•+"/g, variable)
}

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
