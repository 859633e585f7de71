import type { Exchange, Header, Message, Refusal } from './state.ts'
import { basisLabel, hidden, html, note, type View } from './view.ts'

/**
 * One message of an exchange, a request or a response: its header fields, then its body.
 *
 * @param first the line before the header fields, such as `POST /path`
 */
export function messageView(title: string, { headers, body }: Message, first = ''): View {
  const lines = headers.map(([name, value]: Header) => `${name}: ${value}`)
  if (first !== '') lines.unshift(first)
  return html`<div class="message">
    <h3>${title}</h3>
    <pre><code>${lines.join('\n')}</code></pre>
    ${bodyView(body)}
  </div>`
}

/**
 * The body of a message, as far as it is kept. It is null if nobody read it, and undefined of a
 * message that is shown without its body.
 */
function bodyView(body: Message['body']): View | null {
  if (body === undefined) return null
  if (body === null) return note('The body was not read.')

  const { text, bytes, is_cut } = body
  if (bytes === 0) return note('No body.')

  const cutNote = is_cut ? note(`Only the start of ${bytes} bytes is kept.`) : null
  return html`<div><pre><code>${pretty(text)}</code></pre>${cutNote}</div>`
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function copyable(id: string, title: string, text: string): View {
  const copy = html`<button type="button" data-action="copy" data-from=${id}>Copy${hidden(` ${title} ${id}`)}</button>`
  return html`<div class="message"><h3>${title} ${copy}</h3><pre><code id=${id}>${text}</code></pre></div>`
}

/**
 * Why a request was refused: the message of the response, then the entry of its code in the error
 * catalogue.
 */
export function refusalView(refusal: Refusal, catalogue?: string): View {
  const { code, detail, errors, when, fix, question } = refusal
  const name = html`<code>${code}</code>`
  const saysMore = when !== '' && when !== detail
  return html`<div class="refusal">
    <h3>
      ${catalogue ? html`<a href="${catalogue}#${code}">${name}</a>` : name}${' '}
      ${basisLabel(question, 'The code and its meaning are')}
    </h3>
    <p>${detail}</p>
    ${errorsView(errors)}
    ${saysMore ? html`<p><b>When: </b>${when}</p>` : null}
    ${fix === '' ? null : html`<p><b>Fix: </b>${fix}</p>`}
  </div>`
}

function errorsView(errors: Refusal['errors']): View | null {
  if (errors.length === 0) return null
  const items = errors.map(
    ({ pointer, detail }) => html`<li><code>${pointer || '/'}</code> ${detail}</li>`,
  )
  return html`<ul>${items}</ul>`
}

/** Headers that a command does not repeat: curl or the browser sets them. */
const LEFT_OUT = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'origin',
  'referer',
  'priority',
  'cache-control',
  'pragma',
  'cookie',
])

function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name) || name.startsWith('sec-')
}

const MASK = /•+/

/**
 * A curl command that repeats the request, with placeholders for credentials; undefined if the body
 * is not available.
 */
export function writeCurl({ method, path, query, request }: Exchange): string | undefined {
  const { headers, body } = request
  if (body?.is_cut) return undefined

  // Otherwise curl sends one request for each value of `[1-3]` or `{a,b}`.
  const lines = [`curl --globoff --request ${method}`]
  for (const header of headers) {
    const [name] = header
    if (!isLeftOut(name)) lines.push(writeHeaderOption(header))
  }
  if (body && body.bytes > 0) lines.push(`--data-raw ${withPlaceholders(quoted(body.text))}`)
  lines.push(quoted(location.origin + path + query))
  return lines.join(' \\\n  ')
}

/**
 * A header as an option of curl. Credentials become variables of the shell, such as `$CLIENT_KEY`.
 */
function writeHeaderOption([name, value]: Header): string {
  if (name !== 'authorization') return `--header ${quoted(`${name}: ${value}`)}`

  const isBasic = value.toLowerCase().startsWith('basic')
  if (isBasic) return '--user "$CLIENT_KEY:$CLIENT_SECRET"'
  return `--header "authorization: ${value.replace(MASK, '$ACCESS_TOKEN')}"`
}

/** Inserts a shell variable, named after the field, outside of the single quotes. */
function withPlaceholders(text: string): string {
  const variable = (_: string, name: string, colon: string) =>
    `"${name}"${colon}"'"$${name.toUpperCase()}"'"`
  return text.replace(/"(\w+)"(\s*:\s*)"•+"/g, variable)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
