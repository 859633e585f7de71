import { expectRefusal, isRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { type ChargeRule, rightCharges, WRONG_ELSEWHERE, wrongCharges } from '../payments/charge-rules.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

const DUE_DATE = 'createDueDateQrCode'

export const chargeRulesKept: Law = {
  id: 'charge-rules-kept',
  phase: 'lifecycles',
  question: 'charge-rules',
  needs: ['createDueDateQrCode'],
  stateful: true,
  atStake: true,
  title:
    'A charge whose amounts, dates and key do not go together is refused, and one at the edge of a rule is not.',
  advice: 'Check the rules of the central bank before the charge is written.',
  run: async (scene) => {
    const all = [...wrongCharges(scene.clock.day(40), scene.clock.day(1)), ...WRONG_ELSEWHERE]
    for (const [operation, rules] of Map.groupBy(all, ({ operation = DUE_DATE }) => operation)) {
      if (!scene.contract.has(operation) || !scene.may(scene.contract.operation(operation))) continue
      if (await scene.accepted(operation)) await tryRules(scene, operation, rules)
      else scene.masked()
    }
    await tryRight(scene)
    if (scene.identities.has('customer')) await tryCustomer(scene)
  },
}

async function tryRight(scene: Scene): Promise<void> {
  const view = scene.contract.operation(DUE_DATE)
  if (!scene.may(view) || !(await scene.accepted(DUE_DATE))) return scene.masked()
  await scene.each(rightCharges(scene.clock.day(), scene.clock.day(10)), async ({ words, set }) => {
    const input = await scene.maker.inputOf(view, { who: 'partner' })
    if (!input) return scene.masked()
    const exchange = await scene.send(view, scene.maker.withMembers(input, set))
    if (isSuccess(exchange)) return scene.held()
    const message = `Expected a charge with ${words} to be created, got ${exchange.reply.status}.`
    scene.expect(exchange, isRefusal(exchange) ? message : undefined, { about: words })
  })
}

/** The key that the partner receives by is none of the customer's, whose account is another one. */
async function tryCustomer(scene: Scene): Promise<void> {
  for (const id of [DUE_DATE, 'createImmediateQrCode', 'createStaticQrCode']) {
    if (!scene.contract.has(id) || !scene.may(scene.contract.operation(id))) continue
    const own = await scene.accepted(id)
    const input = own && (await scene.maker.refreshed(scene.contract.operation(id), own.input, 'partner'))
    if (!input) return scene.masked()
    const exchange = await scene.send(scene.contract.operation(id), input, { who: 'customer' })
    const message =
      'Expected a charge of a customer with the key of the partner to be refused, and it was created.'
    expectRefusal(scene, exchange, message, { about: 'customer', also: [404] })
  }
}

async function tryRules(scene: Scene, operation: string, rules: readonly ChargeRule[]): Promise<void> {
  const view = scene.contract.operation(operation)
  await scene.each(rules, async ({ words, set }) => {
    const input = await scene.maker.inputOf(view, { who: 'partner' })
    if (!input) return scene.masked()
    const exchange = await scene.send(view, scene.maker.withMembers(input, set))
    const message = `Expected a charge with ${words} to be refused, and it was created.`
    expectRefusal(scene, exchange, message, { about: words })
  })
}
