import { readContract } from './contract/contract.ts'
import { createModel } from './model.ts'
import type { Cites, Report } from './report/report.ts'
import type { Finding } from './report/result.ts'
import { oneLine } from './report/text.ts'
import { chosen } from './run.ts'

/** A difference between one response and the contract. */
export type Difference = Pick<Finding, 'rule' | 'operation' | 'message'> & { readonly cites: Cites }

/** What can be judged of a response without its request. */
const RULES = chosen(['responses', 'http', 'secrets']).rules

/**
 * Checks one response against its operation. The response can still be read afterwards.
 *
 * @param id The operationId.
 * @param document A changed copy of the contract, bundled. Default: the partner payments contract.
 * @throws {TypeError} if there is no such operation, or the body was already read
 */
export async function checkResponse(
  response: Response,
  id: string,
  document?: object,
): Promise<Difference[]> {
  const contract = readContract(document && { document })
  const operation = contract.operations.find((it) => it.id === id)
  if (!operation) throw new TypeError(`there is no operation "${id}" in the contract`)
  if (response.bodyUsed)
    throw new TypeError('the body of the response was read already; hand over response.clone()')
  const { status, headers } = response
  const received = { status, headers: Object.fromEntries(headers), text: await response.clone().text() }
  const request = { method: operation.method, path: operation.path, headers: {} }
  const event = { type: 'exchange', sentAt: 0, completeAt: 1, request, response: received } as const
  const model = createModel({ contract })
  const exchange = model.read({ event, beside: [] })
  const found: Difference[] = []
  for (const { id: rule, read } of RULES) {
    const report: Report = {
      passed: () => undefined,
      changedElsewhere: () => undefined,
      later: () => undefined,
      failed: (_, cites, message) => found.push({ rule, operation: id, cites, message }),
    }
    read?.(exchange, model, report)
  }
  return found
}

/** Whether a difference is one from a fact. */
export function isFailure({ cites }: Difference): boolean {
  return 'fact' in cites || 'pointer' in cites
}

const MOST_LINES = 20

/** Lists differences in the message of a failing test. */
export function failureMessage(head: string, found: readonly Difference[]): string {
  const rest = found.length - MOST_LINES
  const more = rest > 0 ? [`- and ${rest} more`] : []
  return [head, ...found.slice(0, MOST_LINES).map(lineOf), ...more].join('\n')
}

function lineOf({ rule, operation, message, cites }: Difference): string {
  const where = operation === undefined ? rule : `${operation}, ${rule}`
  const why =
    'question' in cites
      ? `an assumption on "${cites.question}"`
      : 'pointer' in cites
        ? cites.pointer
        : 'fact' in cites
          ? `the fact "${cites.fact}"`
          : cites.standard
  return oneLine(`- ${where}: ${message} (${why})`)
}
