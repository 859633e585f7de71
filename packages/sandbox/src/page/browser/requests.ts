import { h } from './element.ts'
import { empty } from './empty.ts'
import { count, moment, took } from './format.ts'
import { statusPill } from './pill.ts'
import type { Finding, HandledRequest } from './state.ts'
import { table } from './table.ts'

const NOTHING = 'No request yet. Copy the first one at the top of this page into a terminal.'

/** The last requests, each with what it broke of the contract. */
export function requestsView(requests: readonly HandledRequest[]): HTMLElement {
  if (requests.length === 0) return empty(NOTHING)
  return table({
    caption: 'The last requests, newest first',
    columns: ['When (UTC)', 'Status', 'Request', 'Took'],
    rows: requests.map((request) => ({ key: request.request_id, cells: cellsOf(request) })),
  })
}

function cellsOf(request: HandledRequest): (Node | string)[] {
  const { method, path, operation, request_id, findings_count } = request
  const under = [operation, request_id].filter(Boolean).join(' · ')
  return [
    moment(request.at),
    statusPill(request.status),
    h(
      'div',
      {},
      h('code', {}, h('b', {}, method), ` ${path}`),
      h('span', { class: 'soft under' }, under),
      findings_count > 0 && findingsView(request),
    ),
    h('span', { class: 'amount' }, took(request.duration_ms)),
  ]
}

function findingsView({ findings, findings_count }: HandledRequest): HTMLElement {
  const more = findings_count - findings.length
  return h(
    'details',
    { class: 'findings' },
    h('summary', {}, count(findings_count, 'finding')),
    h(
      'ul',
      {},
      ...findings.map(findingView),
      more > 0 && h('li', { class: 'soft' }, `and ${more} not shown here`),
    ),
  )
}

function findingView({ place, pointer, message, question }: Finding): HTMLElement {
  return h('li', {}, basis(question), ' ', h('code', {}, `${place}${pointer}`), ` ${message}`)
}

/** Nobody may take an answer of ours for what the service is known to do. */
function basis(question: string | null | undefined): HTMLElement {
  if (!question) {
    const title = 'What was broken is stated by the document that describes the service.'
    return h('span', { class: 'basis', 'data-basis': 'fact', title }, 'fact')
  }
  const title = 'What was broken is an answer of ours to an open question. The service may do otherwise.'
  return h('span', { class: 'basis', 'data-basis': 'ours', title }, `our answer: ${question}`)
}
