import type { Behaviour } from '@partner-payments/spec/behaviour'
import { outcomeOfTransfer } from './behaviour-pages.ts'
import { type Contract, type Operation, operationsOf } from './contract.ts'
import { type Message, sequenceDiagram } from './sequence-diagram.ts'
import { paragraphs } from './text.ts'

const YOU = 'You'
const SERVICE = 'The service'
const RECEIVER = 'The receiver'

/** The page of one payment to a key, step by step: from the look-up to its events. */
export function paymentPage(contract: Contract, behaviour: Behaviour) {
  const title = 'One payment, step by step'
  const summary =
    'What goes from you to the service and to the receiver, in which order, and where a response can be lost.'
  const steps = listSteps(contract, behaviour)
  const list = steps.map(({ says }, index) => `${index + 1}. ${says}`)
  return {
    path: 'guides/one-payment.md',
    title,
    summary,
    section: 'guides',
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

/**
 * The steps of one payment, in order: the look-up of a key, the payment to which the look-up leads
 * by a link, and the events of the transfer.
 */
function listSteps(contract: Contract, behaviour: Behaviour): Step[] {
  const operations = operationsOf(contract, behaviour)
  const lookUp = operationNamed(operations, 'checkKey')
  // The look-up has one link: to the operation that pays.
  const payment = operationNamed(operations, lookUp.links[0]?.to ?? '')
  return [
    ...requestAndResponse(
      lookUp,
      'the owner, and an `initiation_id` for one payment. {{assumption:initiation}}',
    ),
    ...requestAndResponse(
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

/**
 * The two steps of a call: the request, and the response with its result.
 *
 * @param result What the response brings, as the end of a sentence.
 */
function requestAndResponse(operation: Operation, result: string): Step[] {
  const { id, effect, status } = operation
  return [
    {
      from: YOU,
      to: SERVICE,
      text: id,
      says: `You send {{operation:${id}}}, whose effect is \`${effect}\`. {{assumption:effects}}`,
    },
    {
      from: SERVICE,
      to: YOU,
      text: String(status),
      canBeLost: effect === 'once',
      says: `The service responds with \`${status}\`: ${result}`,
    },
  ]
}

/** The steps in which events of a settled transfer are sent: to you, and to whoever receives it. */
function eventsOfSettlement(behaviour: Behaviour): Step[] {
  const { events = [] } = outcomeOfTransfer(behaviour, 'settle') ?? {}
  return events.map((name) => {
    const isOfReceiver = behaviour.events?.[name]?.receiver === 'beneficiary'
    if (isOfReceiver)
      return sendEvent(name, RECEIVER, 'the webhooks of the receiver, if it is a partner too')
    return sendEvent(name, YOU, 'your webhooks')
  })
}

/** The step in which the service sends an event. `webhooks` says to which, as the end of a sentence. */
function sendEvent(name: string, to: string, webhooks: string): Step {
  return {
    from: SERVICE,
    to,
    text: name,
    says: `The service sends {{event:${name}}} to ${webhooks}. {{assumption:event-kinds}}`,
  }
}

function operationNamed(operations: readonly Operation[], id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`the contract has no operation "${id}"`)
  return operation
}
