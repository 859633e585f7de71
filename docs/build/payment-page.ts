import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Contract, isNode, type Operation, operationsOf } from './contract.ts'
import { successOf } from './fields.ts'
import { type Message, sequenceDiagram } from './sequence-diagram.ts'
import { paragraphs } from './text.ts'

const YOU = 'You'
const SERVICE = 'The service'
const RECEIVER = 'The receiver'

/** The page of one payment to a key, from the look-up to its events, of an inlined contract. */
export function paymentPage(contract: Contract, behaviour: Behaviour) {
  const title = 'One payment, step by step'
  const summary =
    'What goes from you to the service and to the receiver, in which order, and where a response can be lost.'
  const steps = stepsOf(contract, behaviour)
  const list = steps.map(({ says }, index) => `${index + 1}. ${says}`)
  return {
    path: 'guides/one-payment.md',
    title,
    summary,
    section: 'guides',
    group: 'Pay',
    options: { keywords: 'sequence diagram, flow of a payment, payment lifecycle' },
    text: paragraphs(
      `# ${title}`,
      summary,
      sequenceDiagram(title, [YOU, SERVICE, RECEIVER], steps),
      list.join('\n'),
      LOST,
    ),
  }
}

const LOST = `## Where a response can be lost

The dashed response is that of an operation with the effect \`once\`. {{assumption:effects}} If it does not come, the payment may have been made: do
not send it again. [Errors](errors.md#when-no-response-comes) says what to do. The other responses can be lost too, but you may send their
requests again. An event that you did not confirm comes again. {{assumption:delivery}}`

/** A step of a payment: the message, and a sentence about it. */
type Step = Message & { readonly says: string }

/** The look-up leads by its link to the operation that pays, whose transfer then has its events. */
function stepsOf(contract: Contract, behaviour: Behaviour): Step[] {
  const lookUp = operationNamed(contract, 'checkKey')
  const payment = operationNamed(contract, nextOf(lookUp))
  return [
    ...exchange(
      lookUp,
      'the owner, and an `initiation_id` for one payment. {{assumption:initiation}}',
    ),
    ...exchange(
      payment,
      'the transfer. It may still be `pending`. {{assumption:transfer-statuses}}',
    ),
    {
      from: SERVICE,
      to: RECEIVER,
      text: 'the money',
      says: 'The transfer settles: the account of the receiver is credited. {{assumption:transfer-statuses}}',
    },
    ...eventsOfSettlement(behaviour),
  ]
}

function exchange(operation: Operation, result: string): Step[] {
  const { node } = operation
  const [status] = successOf(operation)
  return [
    {
      from: YOU,
      to: SERVICE,
      text: node.operationId,
      says: `You send {{operation:${node.operationId}}}, whose effect is \`${node['x-effect']}\`. {{assumption:effects}}`,
    },
    {
      from: SERVICE,
      to: YOU,
      text: status,
      canBeLost: node['x-effect'] === 'once',
      says: `The service responds with \`${status}\`: ${result}`,
    },
  ]
}

/** The events of a transfer that settles: one for you, and one for whoever receives it. */
function eventsOfSettlement({ resources = {}, events = {} }: Behaviour): Step[] {
  const { states = {}, initial = [] } = resources.transfer ?? {}
  const settled = states[initial[0] ?? '']?.on?.settle?.events ?? []
  return settled.map((name) => {
    const isOfReceiver = events[name]?.receiver === 'beneficiary'
    const to = isOfReceiver ? RECEIVER : YOU
    const whose = isOfReceiver
      ? 'the webhooks of the receiver, if it is a partner too'
      : 'your webhooks'
    return {
      from: SERVICE,
      to,
      text: name,
      says: `The service sends {{event:${name}}} to ${whose}. {{assumption:event-kinds}}`,
    }
  })
}

/** The operation to which the link of a response leads. */
function nextOf(operation: Operation): string {
  const [, { links }] = successOf(operation)
  const [link] = Object.values(isNode(links) ? links : {})
  return isNode(link) ? String(link.operationId) : ''
}

function operationNamed(contract: Contract, id: string): Operation {
  const operation = operationsOf(contract).find(({ node }) => node.operationId === id)
  if (!operation) throw new Error(`the contract has no operation "${id}"`)
  return operation
}
