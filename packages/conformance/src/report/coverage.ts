import { type Contract, type Operation, resolveReference } from '../contract/contract.ts'
import { fieldsOf, valueAt } from '../contract/json.ts'
import { mediaTypeOf } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import { type Coverage, NOTHING_UNKNOWN, type UnknownCounts } from './result.ts'

/**
 * Counts the parts of exchanges that the history does not have, such as redacted values. `see` adds those
 * of an exchange, `result` returns the counts.
 */
export function createUnknownCounts() {
  const counts = { ...NOTHING_UNKNOWN }
  return {
    /** Adds the parts that the history does not have of an exchange. */
    see({ request, outcome, unknown, leftOutFields }: Exchange): void {
      const { requestBody, responseBody, requestHeaders, responseHeaders, target, times } = unknown
      const isRequestUnknown = requestBody.includes(POINTER_OF_BODY)
      // A body that is unknown although it was recorded is nested too deeply, or has a list of too many records.
      const wasRecorded = request.unrecorded?.body === undefined
      // A refused request did nothing, so that nothing is missing without it.
      const wasRefusedUnread = wasRecorded && outcome === 'refused'
      if (isRequestUnknown && !wasRefusedUnread) counts.requestBodies++

      // Of a response, this counts for any reason: an amount may stand beside what is nested too deeply.
      const isResponseUnknown = responseBody.includes(POINTER_OF_BODY)
      if (isResponseUnknown) counts.responseBodies++

      // All other pointers are those of values in a body.
      const pointers = [...requestBody, ...responseBody]
      counts.values += pointers.filter((pointer) => pointer !== POINTER_OF_BODY).length
      counts.fields += leftOutFields
      // What is unknown of the path or the query is a redacted value in it.
      if (target) counts.values++
      if (requestHeaders) counts.headers++
      if (responseHeaders) counts.headers++
      if (times) counts.times++
    },
    result: (): UnknownCounts => ({ ...counts }),
  }
}

/** The pointer of a body that is unknown as a whole. Any other one is that of a value in it. */
const POINTER_OF_BODY = ''

/**
 * Counts how often a history has shown each operation, status and media type of the contract. `see` adds
 * an exchange, `result` returns the counts.
 *
 * @param chosen The operationIds that are checked. Default: all.
 */
export function createCoverage(contract: Contract, chosen?: readonly string[]) {
  const isChosen = (id: string) => chosen === undefined || chosen.includes(id)
  const operations = contract.operations.filter(({ id, isAlias }) => !isAlias && isChosen(id))
  const counts = new Map(operations.map(({ id }) => [id, { successes: 0, requests: 0 }]))
  // A row is a declared response: `{ operation: 'getUser', status: '200', mediaType: 'application/json', seen: 0 }`.
  const rows = new Map<string, Row & { seen: number }>()
  for (const row of operations.flatMap(listDeclaredResponses))
    rows.set(buildRowKey(row), { ...row, seen: 0 })

  return {
    /** Counts an exchange for its operation and, if its response is declared, for that response. */
    see({ operation, response, outcome }: Exchange): void {
      if (!operation || !response) return

      const count = counts.get(operation.id)
      if (!count) return

      count.requests++
      if (outcome === 'accepted') count.successes++

      const mediaType = mediaTypeOf({ response })
      const status = String(response.status)
      const row = rows.get(buildRowKey({ operation: operation.id, status, mediaType }))
      if (row) row.seen++
    },
    result: (): Coverage => ({
      operations: [...counts].map(([operation, count]) => ({ operation, ...count })),
      rows: [...rows.values()],
    }),
  }
}

/** A declared response of an operation. */
interface Row {
  readonly operation: string
  readonly status: string
  /** Empty for a response without content. */
  readonly mediaType: string
}

/** A declared response as a text: `getUser 200 application/json`. */
function buildRowKey({ operation, status, mediaType }: Row): string {
  return `${operation} ${status} ${mediaType}`
}

/**
 * Lists the declared responses of an operation, one for each status and media type:
 * `{ operation: 'getUser', status: '200', mediaType: 'application/json' }`.
 */
function listDeclaredResponses({
  id: operation,
  declaration,
  validator: { document },
}: Operation): Row[] {
  const rows: Row[] = []
  const responses = fieldsOf(valueAt(document, `${declaration.pointer}/responses`))
  for (const [status, response] of Object.entries(responses)) {
    const mediaTypes = Object.keys(fieldsOf(resolveReference(document, response)?.content))
    // A response without a body, such as a 204, has no media type.
    if (mediaTypes.length === 0) rows.push({ operation, status, mediaType: '' })
    for (const mediaType of mediaTypes) rows.push({ operation, status, mediaType })
  }
  return rows
}
