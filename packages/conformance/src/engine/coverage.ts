import type { Contract } from '../model/contract.ts'
import { below, nodeOf } from '../model/document.ts'
import type { Exchange } from '../model/exchange.ts'
import { bareMediaType, headerOf } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import { type Keyword, keywordsOf } from '../model/request-keywords.ts'
import { walk } from '../model/schema-walk.ts'
import { propertyPointers, schemasIn } from '../model/schemas-in.ts'
import { isDeclaredSuccess, keyOfStatus, successesOf } from '../model/statuses.ts'
import type { Coverage } from './result.ts'

/** Measures which parts of a contract a run has covered. */
export interface CoverageCounter {
  see(exchange: Exchange): void
  /** Counts an accepted request with a valid value, or a refused request with an invalid one. */
  keyword(contract: string, keyword: string, how: 'accepted' | 'refused'): void
  link(pointer: string): void
  result(): Coverage
}

/** Responses walked per row; later ones rarely add coverage. */
const MAX_WALKED = 60

/**
 * @param asked OperationIds. Default: all.
 */
export function createCoverage(full: Contract, selected?: readonly string[]): CoverageCounter {
  const contract = selected ? restrictedTo(full, selected) : full
  const operations = new Map(contract.operations.map(({ id }) => [id, { successes: 0, requests: 0 }]))
  const rows = new Map(
    contract.operations
      .flatMap((view) => rowsOf(contract, view))
      .map((row) => [rowKey({ ...row, mediaType: bareMediaType(row.mediaType) }), { ...row, seen: 0 }]),
  )
  const keywords = new Map(keywordsOf(contract).map((it) => [it.contract, uncounted(it)]))
  const fields = new Map(fieldsOf(contract).map((pointer) => [pointer, 0]))
  const links = new Map(contract.links.flatMap(({ pointer }) => (pointer ? [[pointer, 0]] : [])))

  function seeBody({ body, response, view }: Exchange & { view: OperationView }): void {
    const status = keyOfStatus(view.statuses, response.status) ?? ''
    const row = rangesOf(bareMediaType(headerOf(response.headers, 'content-type')))
      .map((mediaType) => rows.get(rowKey({ operation: view.id, status, mediaType })))
      .find((it) => it !== undefined)
    if (!row) return
    row.seen++
    if (row.seen > MAX_WALKED || body === undefined) return
    walk(contract.document, row.schema, body, (pointer) => {
      const seen = fields.get(pointer)
      if (seen !== undefined) fields.set(pointer, seen + 1)
    })
  }

  return {
    see(exchange) {
      const { view, response } = exchange
      const counted = view && operations.get(view.id)
      if (!view || !counted || response.status === 0) return
      counted.requests++
      if (isDeclaredSuccess(view, response.status)) counted.successes++
      seeBody({ ...exchange, view })
    },
    keyword(pointer, keyword, how) {
      const known = keywords.get(pointer) ?? uncounted({ contract: pointer, keyword })
      known[how]++
      keywords.set(pointer, known)
    },
    link(pointer) {
      const followed = links.get(pointer)
      if (followed !== undefined) links.set(pointer, followed + 1)
    },
    result: () => ({
      operations: [...operations].map(([operation, counts]) => ({ operation, ...counts })),
      rows: [...rows.values()].map(({ operation, status, mediaType, seen }) => ({
        operation,
        status,
        mediaType,
        seen,
      })),
      keywords: [...keywords.values()],
      fields: [...fields].map(([pointer, seen]) => ({ contract: pointer, seen })),
      links: [...links].map(([pointer, followed]) => ({ contract: pointer, followed })),
    }),
  }
}

function uncounted(keyword: Keyword) {
  return { ...keyword, accepted: 0, refused: 0 }
}

/** Only the selected operations, and the links that lead to them. */
function restrictedTo(contract: Contract, selected: readonly string[]): Contract {
  return {
    ...contract,
    operations: contract.operations.filter(({ id }) => selected.includes(id)),
    links: contract.links.filter(({ to }) => selected.includes(to)),
  }
}

type RowOf = { operation: string; status: string; mediaType: string; schema: string }

function rowKey({ operation, status, mediaType }: Omit<RowOf, 'schema'>): string {
  return `${operation} ${status} ${mediaType}`
}

function rowsOf({ document }: Contract, { id, pointer, statuses }: OperationView): RowOf[] {
  return statuses.flatMap((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    const types = Object.keys(nodeOf(response.node.content))
    const of = (mediaType: string) => below(response.pointer, 'content', mediaType, 'schema')
    if (types.length === 0) return [{ operation: id, status, mediaType: '', schema: '' }]
    return types.map((mediaType) => ({ operation: id, status, mediaType, schema: of(mediaType) }))
  })
}

/** A media type and its ranges, the most specific first. */
function rangesOf(mediaType: string): string[] {
  return mediaType === '' ? [''] : [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*']
}

/** The fields of every schema of a successful response. */
function fieldsOf({ document, operations }: Contract): string[] {
  const places = new Set<string>()
  for (const view of operations) {
    for (const status of successesOf(view.statuses)) {
      const response = document.follow(below(view.pointer, 'responses', status))
      for (const type of Object.keys(nodeOf(response.node.content)))
        schemasIn(document, below(response.pointer, 'content', type, 'schema'), places)
    }
  }
  return [...places].flatMap((at) => propertyPointers(document, at))
}
