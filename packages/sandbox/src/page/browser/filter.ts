import { byId, h } from './element.ts'
import { morphChildren } from './morph.ts'
import type { HandledRequest } from './state.ts'

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

export function filtered(requests: readonly HandledRequest[]): readonly HandledRequest[] {
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
