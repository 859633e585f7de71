/** What `/_sandbox/state` answers: amounts are decimal strings, times are RFC 3339. */
export interface State {
  readonly clock: ClockState
  readonly backend: string
  readonly accounts: readonly Account[]
  readonly transfers: readonly Transfer[]
  readonly qrcodes: readonly QrCode[]
  readonly webhooks: readonly Webhook[]
  readonly requests: readonly HandledRequest[]
}

export interface ClockState {
  readonly now: string
  readonly frozen: boolean
  /** How far it is ahead of the system's clock; negative where it is behind. */
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
  /** Set aside for transfers that are not settled yet. */
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
  /** Of the next attempt, where there is to be one. */
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
  readonly status: number
  readonly duration_ms: number
  /** The first ones. */
  readonly findings: readonly Finding[]
  /** How many there were. */
  readonly findings_count: number
}

export interface Finding {
  readonly place: string
  readonly pointer: string
  readonly message: string
  /** The open question whose answer was broken; absent where the contract states a fact. */
  readonly question?: string | null
}

/** What `/_sandbox/magic` answers: keys and amounts that force a rejection, in the same order. */
export interface Magic {
  readonly keys: readonly Forced[]
  readonly amounts: readonly Forced[]
}

export interface Forced {
  readonly dict_key?: string
  readonly amount?: string
  readonly rejection_message: string
}
