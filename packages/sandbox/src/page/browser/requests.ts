import { loaded, loadProblem } from './api.ts'
import { basis, byId, empty, firstOf, h, statusPill } from './element.ts'
import { copyable, curlOf, messageView, note, refusalView } from './exchange.ts'
import { count, moment, took } from './format.ts'
import { morphChildren } from './morph.ts'
import type { Exchange, Finding, HandledRequest } from './state.ts'

const NOTHING = 'No request yet. Try one at the top of this page, or copy the first one into a terminal.'

/** The last requests that match the filter. Each expands to request, response and the reason for a refusal. */
export function requestsView(requests: readonly HandledRequest[], catalogue?: string): HTMLElement {
  if (requests.length === 0) return empty(NOTHING)
  const kept = filtered(requests)
  if (kept.length === 0) return empty(`None of the ${count(requests.length, 'request')} matches.`)
  const { shown, more } = firstOf('requests', kept, 20)
  const anchors = new Set<string>()
  const rows = shown.map((request) => rowOf(request, { anchors, catalogue }))
  return h(
    'div',
    {},
    h('ol', { class: 'list', 'aria-label': 'The last requests, newest first' }, ...rows),
    more,
  )
}

/** What the rows share: the anchors that exist, and the address of the error catalogue. */
interface Shared {
  readonly anchors: Set<string>
  readonly catalogue: string | undefined
}

function rowOf(request: HandledRequest, shared: Shared): HTMLElement {
  const { request_id, at, status, method, path, operation, duration_ms, code, findings_count } = request
  const load = `/requests/${encodeURIComponent(request_id)}`
  const why = [code ?? '', findings_count > 0 ? count(findings_count, 'finding') : '']
    .filter(Boolean)
    .join(' · ')
  return h(
    'li',
    { 'data-key': request_id },
    h(
      'details',
      { 'data-load': load },
      h(
        'summary',
        {},
        statusPill(status),
        h(
          'span',
          { class: 'what' },
          h('b', {}, operation ?? method),
          ' ',
          h('code', { class: 'under' }, operation ? `${method} ${path}` : path),
        ),
        why !== '' && h('strong', { class: 'why' }, why),
        h('span', { class: 'soft' }, moment(at), ` · ${took(duration_ms)}`),
      ),
      opened(request, load, shared),
    ),
  )
}

function opened(request: HandledRequest, load: string, { anchors, catalogue }: Shared): HTMLElement {
  const exchange = loaded<Exchange>(load)
  const problem = loadProblem(load)
  return h(
    'div',
    { class: 'opened' },
    h('p', { class: 'soft' }, h('code', {}, request.request_id)),
    !!exchange?.refusal && refusalView(exchange.refusal, anchorOf(exchange.refusal.code, anchors), catalogue),
    request.findings_count > 0 && findingsView(request),
    exchange ? sidesOf(request, exchange) : note(problem ?? 'Loading…'),
  )
}

/** Only the first request with a code gets its anchor, because ids are unique. */
function anchorOf(code: string, anchors: Set<string>): string {
  if (anchors.has(code)) return ''
  anchors.add(code)
  return `error-${code}`
}

function sidesOf({ status, request_id }: HandledRequest, exchange: Exchange): HTMLElement {
  const { method, path, query, request, response } = exchange
  const curl = curlOf(exchange)
  return h(
    'div',
    {},
    messageView('Request', request, `${method} ${path}${query}`),
    response === null
      ? note('A fault reset the connection before there was a response.')
      : messageView(
          status === 0 ? 'Response, lost on purpose' : 'Response',
          response,
          status === 0 ? '' : String(status),
        ),
    curl === undefined
      ? note('The body is too long for a curl command.')
      : copyable(`curl-${request_id}`, 'Send it again', curl),
  )
}

function findingsView({ findings, findings_count }: HandledRequest): HTMLElement {
  const more = findings_count - findings.length
  return h(
    'ul',
    { class: 'findings' },
    ...findings.map(findingView),
    more > 0 && h('li', { class: 'soft' }, `and ${more} not shown here`),
  )
}

function findingView({ place, pointer, message, question }: Finding): HTMLElement {
  return h('li', {}, basis(question), ' ', h('code', {}, `${place}${pointer}`), ` ${message}`)
}

/** The test of each form field. An empty field matches all requests. */
const TESTS: Readonly<Record<string, (request: HandledRequest, value: string) => boolean>> = {
  method: ({ method }, value) => method === value,
  status: ({ status }, value) => Math.floor(status / 100) === Number(value),
  operation: ({ operation }, value) => operation === value,
  search: (request, value) => textOf(request).includes(value.toLowerCase()),
}

/** Redraws the requests whenever the form changes. */
export function listenForFilter(redraw: () => void): void {
  byId('filter').addEventListener('input', redraw)
}

/** The current values of the form. */
export function filterNow(): Readonly<Record<string, string>> {
  const form = byId('filter') as HTMLFormElement
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
}

function filtered(requests: readonly HandledRequest[]): readonly HandledRequest[] {
  const asked = Object.entries(filterNow()).filter(([, value]) => value !== '')
  return requests.filter((request) => asked.every(([name, value]) => TESTS[name]?.(request, value) ?? true))
}

/** Offers the methods and operations that occur in the requests. */
export function offerChoices(requests: readonly HandledRequest[]): void {
  for (const [id, all, of] of [
    ['filter-method', 'Any method', requests.map(({ method }) => method)],
    ['filter-operation', 'Any operation', requests.map(({ operation }) => operation ?? '')],
  ] as const) {
    const chosen = (byId(id) as HTMLSelectElement).value
    const values = [...new Set([chosen, ...of])].filter(Boolean).sort()
    const options = values.map((value) => h('option', { value, 'data-key': value }, value))
    morphChildren(byId(id), [h('option', { value: '', 'data-key': '' }, all), ...options])
  }
}

function textOf({ request_id, method, path, operation, status, code, findings }: HandledRequest): string {
  const texts = findings.map(({ pointer, message }) => `${pointer} ${message}`)
  return [request_id, method, path, operation, status || 'no response', code, ...texts]
    .join(' ')
    .toLowerCase()
}
