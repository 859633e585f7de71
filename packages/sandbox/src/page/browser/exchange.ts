import type { Exchange, Header, Message, Refusal } from './state.ts'
import { basis, hidden, html, note, type View } from './view.ts'

/** One message of an exchange: header fields, then the body. */
export function messageView(title: string, { headers, body }: Message, first = ''): View {
  const lines = headers.map(([name, value]: Header) => `${name}: ${value}`)
  return html`<div class="message">
    <h3>${title}</h3>
    <pre><code>${[first, ...lines].filter(Boolean).join('\n')}</code></pre>
    ${body !== undefined && (body === null ? note('The body was not read.') : bodyView(body))}
  </div>`
}

function bodyView({ text, bytes, is_cut }: NonNullable<Message['body']>): View {
  if (bytes === 0) return note('No body.')
  const rest = is_cut && note(`Only the start of ${bytes} bytes is kept.`)
  return html`<div><pre><code>${pretty(text)}</code></pre>${rest}</div>`
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
  return html`<div class="refusal">
    <h3>
      ${catalogue ? html`<a href="${catalogue}#${code}">${name}</a>` : name}${' '}
      ${basis(question, 'The code and its meaning are')}
    </h3>
    <p>${detail}</p>
    ${
      errors.length > 0 &&
      html`<ul>${errors.map((it) => html`<li><code>${it.pointer || '/'}</code> ${it.detail}</li>`)}</ul>`
    }
    ${when !== '' && when !== detail && html`<p><b>When: </b>${when}</p>`}
    ${fix !== '' && html`<p><b>Fix: </b>${fix}</p>`}
  </div>`
}

/** Headers that curl sets itself. */
const OWN =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|sec-.*|origin|referer|priority|cache-control|pragma|cookie)$/
const MASK = /•+/

/**
 * A curl command that repeats the request, with placeholders for credentials; undefined if the body
 * is not available.
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
  const variable = (_: string, name: string, colon: string) =>
    `"${name}"${colon}"'"$${name.toUpperCase()}"'"`
  return text.replace(/"(\w+)"(\s*:\s*)"•+"/g, variable)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
