import type { CheckOptions, Finding, Result } from '../src/index.ts'
import { check, createFetchTransport } from '../src/index.ts'
import { isNamed, mutants, type OpenService, openMutant } from './mutants/index.ts'
import { planted } from './services/plant.ts'
import { openTestSandbox } from './services/sandbox.ts'
import { tolerated } from './services/tolerated.ts'
import { openService } from './variations/service.ts'
import { variations } from './variations/variations.ts'

/** A service that is wrong, or right though it differs from the sandbox, and what is said of it wrongly. */
export interface Subject {
  readonly id: string
  /** Runs the checker. Returns what is wrong with its result; an empty list if it is right. */
  run(): Promise<readonly string[]>
}

/** Services that are wrong: a finding must name each. */
export const wrong: readonly Subject[] = mutants.map((mutant) => ({
  id: mutant.id,
  async run() {
    const { findings } = await resultOf(await openMutant(mutant))
    if (isNamed(mutant, findings)) return []
    return [`nothing names it: ${mutant.describe}`, ...findings.map(inWords)]
  },
}))

/** Services that are right: none may get a failure, nor a verdict about a question that they do not touch. */
export const right: readonly Subject[] = [
  ...tolerated.map((variant) => ({
    id: variant.id,
    async run() {
      const sandbox = await openTestSandbox()
      const { findings } = await resultOf({ fetch: planted(sandbox, variant), close: sandbox.close })
      return findings.filter((it) => it.kind === 'failure' || !variant.mayDeviate).map(inWords)
    },
  })),
  ...variations.map(({ id, service, touches, near = [] }) => ({
    id,
    async run() {
      const { findings, verdicts } = await resultOf(await openService(service), service.values)
      const contradicted = verdicts.filter(
        ({ question, verdict }) => verdict === 'contradicted' && ![...touches, ...near].includes(question),
      )
      const confirmed = verdicts.filter(
        ({ question, verdict }) => verdict === 'confirmed' && touches.includes(question),
      )
      return [
        ...findings.filter(({ kind }) => kind === 'failure').map(inWords),
        ...contradicted.map(({ question, seen }) => `wrongly contradicted: ${question}: ${seen}`),
        ...confirmed.map(({ question }) => `wrongly confirmed: ${question}`),
      ]
    },
  })),
]

/** Checks a service whole, and closes it. */
async function resultOf({ fetch, close }: OpenService, values?: CheckOptions['values']): Promise<Result> {
  try {
    return await check({
      url: 'http://127.0.0.1',
      target: 'sandbox',
      transport: createFetchTransport(fetch),
      credentials: { clientKey: 'partner', clientSecret: 'secret' },
      other: { clientKey: 'other', clientSecret: 'secret' },
      timeMs: 300,
      ...(values && { values }),
    })
  } finally {
    await close()
  }
}

function inWords({ kind, rule, operation = 'all', message }: Finding): string {
  return `${kind} ${rule}@${operation}: ${message}`
}
