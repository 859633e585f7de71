import type { RequestContext } from '../../causes/cause.ts'
import { behaviour } from '../../contract/behaviour.ts'
import type { IssuedValue } from '../../model/values.ts'
import type { Cites } from '../../report/report.ts'
import { cite, type RuleContext } from '../rule.ts'
import { findOneTimeValue, mustBeSentBack } from './declarations.ts'

const { conventions, resources } = behaviour

/** Reports a value that a response should issue, such as an id, and leaves empty. */
export function reportIssuedEmpty(
  { name, pointer }: Omit<IssuedValue, 'value'>,
  { exchange, report }: Omit<RuleContext, 'model'>,
): void {
  // Of a value that a later request must send back, a fact says that the response issues it.
  const cites = mustBeSentBack(name) ? { fact: 'initiation-sent-back' } : cite(conventions.ids)
  const message = `${exchange.operation?.id} shows an empty ${pointer}.`
  report.failed(exchange, cites, message, { about: `no ${pointer}` })
}

/** Expects that no earlier response has issued a value, such as an id or a secret, that this one issues. */
export function expectNewlyIssued(
  issued: IssuedValue,
  { exchange, model, report }: RuleContext,
): void {
  const { pointer } = issued
  report.expect(
    !model.values.isIssued(issued),
    {
      evidence: exchange,
      cites: citeNewlyIssued(issued, { exchange, model }),
      about: pointer,
      impact: 'high',
    },
    () => `${exchange.operation?.id} shows a ${pointer} that an earlier response has issued.`,
  )
}

/**
 * Cites what says that a response issues a value that no other one issues: the declaration of an `initiation_id`, the
 * assumption about ids, or a fact if the rotation of a secret keeps the old one.
 */
function citeNewlyIssued(issued: IssuedValue, context: RequestContext): Cites {
  // That a rotation replaces the secret is a fact.
  if (isKeptSecret(issued, context)) return { fact: 'webhooks-managed' }

  // Only a value that a later request must send back has a declaration of its own.
  const { name } = issued
  if (mustBeSentBack(name)) return cite(findOneTimeValue(name))
  return cite(conventions.ids)
}

/** Whether the rotation of a webhook's secret returns the secret that the webhook already has. */
function isKeptSecret(
  { pointer, value }: IssuedValue,
  { exchange, model }: RequestContext,
): boolean {
  const { operation, parameters } = exchange
  const isRotation = operation?.id === resources.webhook.operations.rotateSecret
  if (!isRotation || pointer !== '/secret') return false

  const webhook = model.deliveries.webhooks.find(({ id }) => id === parameters.webhook_id)
  const newestSecret = webhook?.secrets.at(-1)?.secret
  return newestSecret === value
}
