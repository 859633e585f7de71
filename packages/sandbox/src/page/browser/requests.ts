import { copyable, curlOf, messageView, refusalView } from './exchange.ts'
import { count, moment, took } from './format.ts'
import type { Exchange, Finding, HandledRequest } from './state.ts'
import {
  basis,
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
  const kept = filtered(requests)
  if (kept.length === 0) return empty(`None of the ${count(requests.length, 'request')} matches.`)
  const rows = kept.map(
    (request) =>
      html`<${Row} key=${request.request_id} request=${request} catalogue=${catalogue} />`,
  )
  const label = 'The last requests, newest first'
  return html`<${List} noun="requests" label=${label} most=${20} rows=${rows} />`
}

function Row({
  request,
  catalogue,
}: {
  readonly request: HandledRequest
  readonly catalogue?: string
}): View {
  const { request_id, at, status, method, path, operation, duration_ms, code, findings_count } =
    request
  const {
    body: exchange,
    problem,
    onToggle,
  } = useOpened<Exchange>(`/requests/${encodeURIComponent(request_id)}`)
  const findings = findings_count > 0 && count(findings_count, 'finding')
  const why = [code, findings].filter(Boolean).join(' · ')
  return html`<li>
    <details onToggle=${onToggle}>
      <summary>
        ${statusPill(status)}
        <span class="what">
          <b>${operation ?? method}</b>${' '}
          <code class="under">${operation ? `${method} ${path}` : path}</code>
        </span>
        ${why !== '' && html`<strong class="why">${why}</strong>`}
        <span class="soft">${moment(at)} · ${took(duration_ms)}</span>
      </summary>
      <div class="opened">
        <p class="soft"><code>${request_id}</code></p>
        ${exchange?.refusal && refusalView(exchange.refusal, catalogue)}
        ${findings_count > 0 && findingsView(request)}
        ${exchange ? sidesOf(request, exchange) : note(problem ?? 'Loading…')}
      </div>
    </details>
  </li>`
}

function sidesOf({ status, request_id }: HandledRequest, exchange: Exchange): View {
  const { method, path, query, request, response } = exchange
  const curl = curlOf(exchange)
  const title = status === 0 ? 'Response, lost on purpose' : 'Response'
  return html`<div>
    ${messageView('Request', request, `${method} ${path}${query}`)}
    ${
      response === null
        ? note('A fault reset the connection before there was a response.')
        : messageView(title, response, status === 0 ? '' : String(status))
    }
    ${
      curl === undefined
        ? note('The body is too long for a curl command.')
        : copyable(`curl-${request_id}`, 'Send it again', curl)
    }
  </div>`
}

function findingsView({ findings, findings_count }: HandledRequest): View {
  const more = findings_count - findings.length
  return html`<ul class="findings">
    ${findings.map(findingView)}
    ${more > 0 && html`<li class="soft">and ${more} not shown here</li>`}
  </ul>`
}

function findingView({ place, pointer, message, question }: Finding): View {
  return html`<li>${basis(question)} <code>${place}${pointer}</code> ${message}</li>`
}

/** The test of each form field. An empty field matches all requests. */
const TESTS: Readonly<Record<string, (request: HandledRequest, value: string) => boolean>> = {
  method: ({ method }, value) => method === value,
  status: ({ status }, value) => Math.floor(status / 100) === Number(value),
  operation: ({ operation }, value) => operation === value,
  search: (request, value) => textOf(request).includes(value.toLowerCase()),
}

export function listenForFilter(redraw: () => void): void {
  byId('filter').addEventListener('input', redraw)
}

function filtered(requests: readonly HandledRequest[]): readonly HandledRequest[] {
  const fields = [...new FormData(byId('filter') as HTMLFormElement)]
  const asked = fields
    .map(([name, value]) => [name, String(value).trim()] as const)
    .filter(([, value]) => value)
  return requests.filter((request) =>
    asked.every(([name, value]) => TESTS[name]?.(request, value) ?? true),
  )
}

/** Offers the methods and operations that occur in the requests. */
export function offerChoices(requests: readonly HandledRequest[]): void {
  for (const [id, all, of] of [
    ['filter-method', 'Any method', requests.map(({ method }) => method)],
    ['filter-operation', 'Any operation', requests.map(({ operation }) => operation ?? '')],
  ] as const) {
    const chosen = (byId(id) as HTMLSelectElement).value
    const values = [...new Set([chosen, ...of])].filter(Boolean).sort()
    const options = values.map(
      (value) => html`<option key=${value} value=${value}>${value}</option>`,
    )
    draw(id, html`<option key="" value="">${all}</option>${options}`)
  }
}

function textOf({
  request_id,
  method,
  path,
  operation,
  status,
  code,
  findings,
}: HandledRequest): string {
  const texts = findings.map(({ pointer, message }) => `${pointer} ${message}`)
  return [request_id, method, path, operation, status || 'no response', code, ...texts]
    .join(' ')
    .toLowerCase()
}
