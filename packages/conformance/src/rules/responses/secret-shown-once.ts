import type { ShownOnce } from '@partner-payments/spec/behaviour'
import type { JudgedRun, Rule } from '../../engine/rule.ts'
import type { Judgement } from '../../engine/violation.ts'
import type { Contract } from '../../model/contract.ts'
import { below, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { citing } from '../common/declared-sources.ts'

/** The format of secrets in Standard Webhooks. */
const FORM = /whsec_[A-Za-z0-9+/]{20,}/
/** Shorter credentials may occur by chance. */
const MIN_LENGTH = 12

export const secretShownOnce: Rule = {
  id: 'secret-shown-once',
  phase: 'responses',
  cites: 'contract',
  impact: 'high',
  title:
    'A secret is shown by the operations that issue it and by no other, and no response repeats a credential.',
  advice: 'Leave the secret out of this response, and rotate it.',
  judgeResponse: (exchange, contract, run) => {
    const { view, response } = exchange
    if (!view) return undefined
    const message = `${view.id} shows a secret; expected none in this response.`
    const place = { operation: view.id, contract: below(view.pointer, 'responses', String(response.status)) }
    const credential = credentialIn(exchange)
    return [
      ...secretsIn(exchange, contract, run).map((it) => ({ ...place, ...it, message })),
      ...(credential
        ? [
            {
              ...place,
              message: `${view.id} repeats the credential of the request.`,
              about: 'credential',
              cites: EXPOSURE,
            },
          ]
        : []),
    ]
  },
}

const EXPOSURE = { standard: 'OWASP API Security Top 10, API3:2023' }

/** Secrets that the response must not show: those that were issued in this run, and any other of their format. */
function secretsIn(
  { view, response: { text }, body }: Exchange,
  contract: Contract,
  run?: JudgedRun,
): Pick<Judgement, 'question' | 'cites'>[] {
  const declared = Object.values(run?.behaviour.resources ?? {}).flatMap((it) => it.shownOnce ?? [])
  const issuing = declared.find(({ by }) => by.includes(view?.id ?? ''))
  if (issuing) {
    remember(run, issuing, body)
    return []
  }
  const known = declared.find((it) => patternOf(secretsOf(run, it))?.test(text))
  if (known) return [citing(known)]
  const isIssuing = declared.length === 0 && view !== undefined && hasSecret(contract, view.pointer)
  return FORM.test(text) && !isIssuing ? [{}] : []
}

function remember(run: JudgedRun | undefined, issuing: ShownOnce, body: unknown): void {
  const secrets = issuing.fields
    .map((it) => valueAt(body, it))
    .filter((it) => typeof it === 'string' && it.length >= MIN_LENGTH)
  run?.memory.set(keyOf(issuing), [...secretsOf(run, issuing), ...secrets].slice(-MAX_REMEMBERED))
}

const MAX_REMEMBERED = 200

function secretsOf(run: JudgedRun | undefined, { by }: ShownOnce): string[] {
  return (run?.memory.get(keyOf({ by })) ?? []) as string[]
}

/** One pattern for all secrets, since each response is searched for them. */
function patternOf(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined
  const pattern = patterns.get(secrets) ?? new RegExp(secrets.map(escaped).join('|'))
  patterns.set(secrets, pattern)
  return pattern
}

const patterns = new WeakMap<readonly string[], RegExp>()

function escaped(text: string): string {
  return text.replaceAll(/\W/g, '\\$&')
}

function keyOf({ by }: Pick<ShownOnce, 'by'>): string {
  return `shown once by ${by}`
}

/** Whether the responses of an operation declare a secret, directly or by reference. */
function hasSecret({ document }: Contract, pointer: string): boolean {
  const responses = JSON.stringify(document.at(below(pointer, 'responses')))
  const names = [...responses.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, it = '']) =>
    JSON.stringify(document.at(it)),
  )
  return [responses, ...names].some((it) => it?.includes('"secret"'))
}

/** Whether a response shows the token or the secret of its request. */
function credentialIn({ request, response: { text } }: Exchange): boolean {
  const [, scheme = '', sent = ''] = /^(\w+) +(\S.*)$/s.exec(request.headers.authorization ?? '') ?? []
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(sent, 'base64').toString() : ''
  const credentials = [sent, decoded, decoded.slice(decoded.indexOf(':') + 1)]
  return credentials.some((it) => it.length >= MIN_LENGTH && text.includes(it))
}
