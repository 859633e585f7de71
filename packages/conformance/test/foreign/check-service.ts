import { check } from '../../src/check.ts'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import type { RuleResult } from '../../src/engine/result.ts'
import { inProcess, type Service } from '../in-process-transport.ts'

type Options = Partial<Pick<CheckOptions, 'credentials' | 'other' | 'only' | 'seed' | 'target'>>

/** Runs strictly against another contract. Returns the findings, the operations without a success, and the requests. */
export async function judged(contract: object, service: Service, options: Options = {}) {
  const sent: Request[] = []
  const transport = inProcess((request) => {
    sent.push(request.clone())
    return service(request)
  })
  const { findings, coverage, rules } = await check({
    url: 'http://in.process',
    target: 'sandbox',
    timeMs: 200,
    // A live service would only get ten requests per second.
    rate: 5_000,
    contract,
    transport,
    ...options,
  })
  return {
    found: findings.map(({ rule, operation, message }) => `${rule} ${operation}: ${message}`),
    kinds: [...new Set(findings.map(({ kind }) => kind))],
    brokenRules: [...new Set(findings.map(({ rule, operation }) => `${rule} ${operation}`))],
    unseen: coverage.operations.filter(({ successes }) => successes === 0).map((it) => it.operation),
    coverage,
    sent,
    lines: sent.map(({ method, url }) => `${method} ${url.replace('http://127.0.0.1', '')}`),
    rule(id: string): RuleResult {
      const result = rules.find(({ rule }) => rule === id)
      if (!result) throw new Error(`there is no rule ${id}`)
      return result
    },
  }
}
