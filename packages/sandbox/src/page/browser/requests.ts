import { copyable, messageView, refusalView, writeCurl } from './exchange.ts'
import { count, moment, took } from './format.ts'
import type { Exchange, Finding, HandledRequest } from './state.ts'
import {
  basisLabel,
  byId,
  draw,
  empty,
  html,
  List,
  note,
  statusPill,
  useOpened,
  type View,
} from './view.ts'

const NOTHING =
  'No request yet. Try one at the top of this page, or copy the first one into a terminal.'

/**
 * The last requests that match the filter. Each expands to request, response and the reason for a
 * refusal.
 *
 * @param catalogue the address of the error catalogue
 */
export function requestsView(requests: readonly HandledRequest[], catalogue?: string): View {
  if (requests.length === 0) return empty(NOTHING)
  const matching = matchingFilterForm(requests)
  if (matching.length === 0)
    return empty(`None of the ${count(requests.length, 'request')} matches.`)

  const rows = matching.map((request) => {
    const { request_id } = request
    return html`<${RequestRow} key=${request_id} request=${request} catalogue=${catalogue} />`
  })
  const label = 'The last requests, newest first'
  return html`<${List} noun="requests" label=${label} most=${20} rows=${rows} />`
}

interface RequestRowProps {
  readonly request: HandledRequest
  readonly catalogue?: string
}

/**
 * A request in one line. Opening it loads the request, its response and the reason for a refusal
 * from the sandbox.
 */
function RequestRow({ request, catalogue }: RequestRowProps): View {
  const { request_id, at, status, method, path, operation, duration_ms } = request
  const details = `/requests/${encodeURIComponent(request_id)}`
  const { body: exchange, problem, onToggle } = useOpened<Exchange>(details)
  return html`<li>
    <details onToggle=${onToggle}>
      <summary>
        ${statusPill(status)}
        <span class="what">
          <b>${operation ?? method}</b>${' '}
          <code class="under">${operation ? `${method} ${path}` : path}</code>
        </span>
        ${whyView(request)}
        <span class="soft">${moment(at)} · ${took(duration_ms)}</span>
      </summary>
      <div class="opened">
        <p class="soft"><code>${request_id}</code></p>
        ${exchange?.refusal ? refusalView(exchange.refusal, catalogue) : null}
        ${findingsView(request)}
        ${exchange ? exchangeView(request, exchange) : note(problem ?? 'Loading…')}
      </div>
    </details>
  </li>`
}

/** What was wrong with a request: its error code, and how many findings it has. */
function whyView({ code, findings_count }: HandledRequest): View | null {
  const reasons: string[] = []
  if (code) reasons.push(code)
  if (findings_count > 0) reasons.push(count(findings_count, 'finding'))
  if (reasons.length === 0) return null
  return html`<strong class="why">${reasons.join(' · ')}</strong>`
}

/** The request, the response and a curl command that repeats the request. */
function exchangeView({ status, request_id }: HandledRequest, exchange: Exchange): View {
  const { method, path, query, request, response } = exchange
  const curl = writeCurl(exchange)
  return html`<div>
    ${messageView('Request', request, `${method} ${path}${query}`)}
    ${responseView(response, status)}
    ${
      curl === undefined
        ? note('The body is too long for a curl command.')
        : copyable(`curl-${request_id}`, 'Send it again', curl)
    }
  </div>`
}

function responseView(response: Exchange['response'], status: number): View {
  if (response === null) return note('A fault reset the connection before there was a response.')
  if (status === 0) return messageView('Response, lost on purpose', response)
  return messageView('Response', response, String(status))
}

/** Where the request breaks the contract. The list may have fewer findings than were counted. */
function findingsView({ findings, findings_count }: HandledRequest): View | null {
  if (findings_count === 0) return null
  const hiddenCount = findings_count - findings.length
  return html`<ul class="findings">
    ${findings.map(findingView)}
    ${hiddenCount > 0 ? html`<li class="soft">and ${hiddenCount} not shown here</li>` : null}
  </ul>`
}

function findingView({ place, pointer, message, question }: Finding): View {
  return html`<li>${basisLabel(question)} <code>${place}${pointer}</code> ${message}</li>`
}

/** The test of each form field. */
const TESTS: Readonly<Record<string, (request: HandledRequest, value: string) => boolean>> = {
  method: ({ method }, value) => method === value,
  status: ({ status }, value) => Math.floor(status / 100) === Number(value),
  operation: ({ operation }, value) => operation === value,
  search: (request, value) => searchableText(request).includes(value.toLowerCase()),
}

export function listenForFilter(redraw: () => void): void {
  byId('filter').addEventListener('input', redraw)
}

/** The requests that match every field of the filter form that is filled in. */
function matchingFilterForm(requests: readonly HandledRequest[]): readonly HandledRequest[] {
  const form = byId('filter') as HTMLFormElement
  let matching = requests
  for (const [name, text] of new FormData(form)) {
    const test = TESTS[name]
    const value = String(text).trim()
    const isFilled = value !== ''
    if (test && isFilled) matching = matching.filter((request) => test(request, value))
  }
  return matching
}

/** Offers the methods and operations that occur in the requests. */
export function offerChoices(requests: readonly HandledRequest[]): void {
  const methods = requests.map(({ method }) => method)
  const operations = requests.map(({ operation }) => operation ?? '')
  drawOptions('filter-method', 'Any method', methods)
  drawOptions('filter-operation', 'Any operation', operations)
}

/**
 * Draws the options of a select: `any`, then each value that occurs. The chosen value stays, even
 * if no request has it any more.
 */
function drawOptions(id: string, any: string, occurring: readonly string[]): void {
  const chosen = (byId(id) as HTMLSelectElement).value
  const values = new Set([chosen, ...occurring])
  values.delete('')
  const options = [...values].sort()
  const views = options.map((value) => html`<option key=${value} value=${value}>${value}</option>`)
  draw(id, html`<option key="" value="">${any}</option>${views}`)
}

/** The text of a request in which the search field searches, in lower case. */
function searchableText(request: HandledRequest): string {
  const texts = [
    request.request_id,
    request.method,
    request.path,
    request.operation,
    request.status === 0 ? 'no response' : request.status,
    request.code,
  ]
  for (const { pointer, message } of request.findings) texts.push(`${pointer} ${message}`)
  return texts.join(' ').toLowerCase()
}
