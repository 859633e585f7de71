import type { withExchanges } from '../../control/events.ts'
import type { showExchange } from '../../control/exchanges.ts'
import type { State } from '../../control/state.ts'
import type { listRejectingValues } from '../../transfers/rejections.ts'

// The responses of the control API, with the types of the code that makes them.
export type { State }
export type ClockState = State['clock']
export type Account = State['accounts'][number]
export type Transfer = State['transfers'][number]
export type Incoming = State['incoming'][number]
export type QrCode = State['qrcodes'][number]
export type Webhook = State['webhooks'][number]
export type Delivery = Webhook['deliveries'][number]
export type Attempt = Delivery['attempts'][number]
export type Fault = State['faults'][number]
export type HandledRequest = State['requests'][number]
export type Finding = HandledRequest['findings'][number]
export type Exchange = ReturnType<typeof showExchange>
export type Refusal = NonNullable<Exchange['refusal']>
/** Without a body if it is shown elsewhere. */
export type Message = Pick<Exchange['request'], 'headers'> & Partial<Exchange['request']>
export type Header = readonly [name: string, value: string]
export type EventDetails = Awaited<ReturnType<typeof withExchanges>>
export type AttemptExchange = NonNullable<
  EventDetails['deliveries'][number]['attempts'][number]['exchange']
>
export type Magic = ReturnType<typeof listRejectingValues>
