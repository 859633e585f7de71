import {
  type CheckOptions,
  check,
  createFetchTransport,
  type Finding,
  type Result,
  type Verdict,
} from '../src/index.ts'
import { isNamed, mutants } from './mutants/index.ts'
import { openService } from './services/service.ts'
import { variations } from './variations/variations.ts'

/** A service that is wrong, or right though it differs from the sandbox, and what is said of it wrongly. */
export interface Subject {
  readonly id: string
  /** Runs the checker. Returns what is wrong with its result; an empty list if it is right. */
  run(): Promise<readonly string[]>
}

/** Services that are wrong: a finding must name each. */
export const wrong: readonly Subject[] = mutants.map((mutant) => ({
  id: `${mutant.places[0]}: ${mutant.says}`,
  async run() {
    const { findings } = await resultOf(await openService(mutant.service))
    return isNamed(mutant, findings) ? [] : ['nothing names it', ...findings.map(inWords)]
  },
}))

/** Services that are right: none may get a failure, nor a verdict about a question that they do not touch. */
export const right: readonly Subject[] = variations.map(
  ({ id, service, touches, near = [], isCritical = false }) => ({
    id,
    async run() {
      const { findings, verdicts } = await resultOf(await openService(service), service.values)
      const having = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict)
      const contradicted = having('contradicted').filter(
        ({ question: it }) => ![...touches, ...near].includes(it),
      )
      const confirmed = having('confirmed').filter(({ question }) => touches.includes(question))
      return [
        // Both fail a run by default.
        ...findings
          .filter((it) => it.kind === 'failure' || (it.severity === 'critical' && !isCritical))
          .map(inWords),
        ...contradicted.map(({ question, seen }) => `wrongly contradicted: ${question}: ${seen}`),
        ...confirmed.map(({ question }) => `wrongly confirmed: ${question}`),
      ]
    },
  }),
)

type Opened = Awaited<ReturnType<typeof openService>>

/** Checks a service whole, and closes it. */
async function resultOf({ fetch, close }: Opened, values?: CheckOptions['values']): Promise<Result> {
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
