import type { operations } from '@partner-payments/spec'
import { expect } from 'vitest'
import { BROKEN_CLONE, isClonable } from './clone.ts'
import { type Operation, readContract } from './contract/contract.ts'
import type { RecordedExchange } from './history.ts'
import type { Exchange } from './model/exchange.ts'
import { Model } from './model.ts'
import { collectWords } from './report/build-result.ts'
import { chooseKind } from './report/create-finding.ts'
import { createEvidenceMasker } from './report/evidence.ts'
import { type Difference, failureMessage } from './report/findings.ts'
import type { Report } from './report/report.ts'
import { choosePlansAndRules } from './run/choose-plans.ts'
import { decodeContent } from './send/transport.ts'

/**
 * Arguments of `toConformTo`: an operation of the partner payments contract, or of the given one.
 */
type Conforming =
  | [operation: keyof operations, options?: { readonly strict?: boolean }]
  | [operation: string, options: { readonly contract: object; readonly strict?: boolean }]

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * Asserts that a `Response` conforms to the contract of an operation: status, headers and body.
     * The body can still be read afterwards. With `strict: false`, differences from assumptions are
     * ignored.
     *
     * @example
     * await expect(response).toConformTo('checkKey')
     */
    toConformTo: (...conforming: Conforming) => Promise<R>
  }
}

expect.extend({
  /** The matcher that `Matchers` describes: `pass` says the outcome, `message` lists the differences. */
  async toConformTo(received: unknown, ...[operation, options = {}]: Conforming) {
    if (!(received instanceof Response)) throw new TypeError('toConformTo expects a Response')
    const contract = 'contract' in options ? options.contract : undefined
    const differences = await checkResponse(received, operation, contract)
    // With `strict: false`, deviations pass: they break only an assumption.
    const findings = options.strict === false ? differences.filter(isFailure) : differences
    const isConforming = findings.length === 0
    return {
      pass: isConforming,
      message() {
        if (isConforming)
          return `The response conforms to the contract of ${operation}, but was expected not to.`
        const head = `The response ${received.status} does not conform to the contract of ${operation}:`
        return failureMessage(head, findings)
      },
    }
  },
})

function isFailure(difference: Difference): boolean {
  return chooseKind(difference) === 'failure'
}

/** What can be judged of a response without its request. */
const RULES = choosePlansAndRules(['responses', 'http', 'secrets']).rules

/**
 * Checks one response against its operation. The response can still be read afterwards.
 *
 * @param document A changed copy of the contract, bundled. Default: the partner payments contract.
 * @throws {TypeError} if there is no such operation, or the body was already read
 */
async function checkResponse(
  response: Response,
  id: string,
  document?: object,
): Promise<Difference[]> {
  const contract = readContract(document)
  const operation = contract.operations.find((operation) => operation.id === id)
  if (!operation) throw new TypeError(`there is no operation "${id}" in the contract`)

  if (response.bodyUsed)
    throw new TypeError('the body of the response was read already; hand over response.clone()')
  if (!isClonable(response)) throw new TypeError(BROKEN_CLONE)

  const model = new Model({ contract })
  const event = await buildExchange(response, operation)
  const exchange = model.read({ event, beside: [] })
  const differences = listDifferences(exchange, model)

  // Logs of tests are read by more people than the responses.
  const masker = createEvidenceMasker({ base: '', words: collectWords(contract, RULES) })
  masker.see(exchange)
  return differences.map((difference) => ({
    ...difference,
    operation: id,
    message: masker.message(difference.message),
  }))
}

/** Builds the exchange that a response is of, as far as it is known: nobody knows the request. */
async function buildExchange(
  response: Response,
  { method, path }: Operation,
): Promise<RecordedExchange> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer())
  const headers = Object.fromEntries(response.headers)
  return {
    type: 'exchange',
    sentAt: 0,
    completeAt: 1,
    request: { method, path, headers: {} },
    response: { status: response.status, headers, ...decodeContent(bytes) },
  }
}

/** Lets the rules read an exchange, and lists the differences from the contract that they report. */
function listDifferences(exchange: Exchange, model: Model): Omit<Difference, 'operation'>[] {
  const differences: Omit<Difference, 'operation'>[] = []
  for (const { id: rule, read } of RULES) {
    const report: Report = {
      expect(holds, { cites }, sentence) {
        if (!holds) differences.push({ rule, cites, message: sentence() })
      },
      failed: (_, cites, message) => differences.push({ rule, cites, message }),
      passed: () => undefined,
      saw: () => undefined,
      changedElsewhere: () => undefined,
    }
    read?.(exchange, model, report)
  }
  return differences
}
