/** The response of `/_sandbox/state`. Amounts are decimal strings, times are RFC 3339. */
export interface State {
  readonly clock: ClockState
  readonly storage: string
  /** Links to the docs, if the sandbox knows them. */
  readonly docs: { readonly home: string; readonly form: string } | null
  readonly accounts: readonly Account[]
  readonly transfers: readonly Transfer[]
  readonly qrcodes: readonly QrCode[]
  readonly webhooks: readonly Webhook[]
  readonly requests: readonly HandledRequest[]
  readonly faults: readonly Fault[]
}

/** A fault rule. `times` counts the requests that it still affects; `ends_at` is a time of the sandbox. */
export interface Fault {
  readonly id: string
  readonly kind: string
  readonly operation?: string
  readonly times: number
  readonly ms?: number
  readonly status?: number
  readonly after?: boolean
  readonly seconds?: number
  readonly ends_at?: string
}

export interface ClockState {
  readonly now: string
  readonly frozen: boolean
  /** Distance from the system's clock; negative if behind. */
  readonly ahead_seconds: number
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly trade_name: string
  readonly ispb: string
  readonly branch: string
  readonly number: string
  readonly balance: string
  /** On hold for transfers that are not settled yet. */
  readonly held: string
  readonly keys: readonly string[]
}

export interface Transfer {
  readonly id: string
  readonly status: string
  readonly amount: string
  readonly end_to_end_id: string
  readonly initiation_type: string
  readonly payer: string
  readonly payee: string
  readonly created_at: string
  readonly rejection_message: string
}

export interface QrCode {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly tx_id: string
  readonly amount: string
  readonly dict_key: string
  readonly emv: string
  /** A PNG in base64. */
  readonly qrcode_image: string
  readonly created_at: string
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly type: string
  readonly status: string
  readonly deleted_at: string | null
  readonly deliveries: readonly Delivery[]
}

export interface Delivery {
  readonly event_id: string
  readonly type: string
  readonly status: string
  /** Due time of the next attempt, if there is one. */
  readonly due_at: string | null
  readonly attempts: readonly Attempt[]
}

export interface Attempt {
  readonly number: number
  readonly at: string
  readonly ok: boolean
  readonly status: number | null
  readonly reason: string
  readonly detail: string
  readonly duration_ms: number
}

export interface HandledRequest {
  readonly request_id: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly operation: string | null
  /** 0 if no response was sent. */
  readonly status: number
  /** The code of the refusal, if it was one. */
  readonly code: string | null
  readonly duration_ms: number
  /** The first findings. */
  readonly findings: readonly Finding[]
  /** The number of all findings. */
  readonly findings_count: number
}

export interface Finding {
  readonly place: string
  readonly pointer: string
  readonly message: string
  /** The open question whose assumption was violated; absent if the contract states a fact. */
  readonly question?: string | null
}

export type Header = readonly [name: string, value: string]

export interface Message {
  readonly headers: readonly Header[]
  /** Null if it was not read; absent if it is shown elsewhere. */
  readonly body?: { readonly text: string; readonly bytes: number; readonly is_cut: boolean } | null
}

/** The response of `/_sandbox/requests/{id}`. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request: Message
  readonly response: Message | null
  readonly refusal: Refusal | null
}

export interface Refusal {
  readonly code: string
  readonly detail: string
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[]
  /** From the error catalogue. */
  readonly when: string
  readonly fix: string
  readonly question: string | null
}

/** The part of the response of `/_sandbox/events/{id}` that the page shows. */
export interface EventDetails {
  readonly deliveries: readonly {
    readonly webhook_id: string
    readonly attempts: readonly (Attempt & { readonly exchange: AttemptExchange | null })[]
  }[]
}

export interface AttemptExchange {
  readonly url: string
  readonly headers: readonly Header[]
  readonly signed_content: string
  readonly response: Message | null
}

/** The response of `/_sandbox/magic`: keys and amounts that force a rejection, in the same order. */
export interface Magic {
  readonly keys: readonly Forced[]
  readonly amounts: readonly Forced[]
}

export interface Forced {
  readonly dict_key?: string
  readonly amount?: string
  readonly rejection_message: string
}
