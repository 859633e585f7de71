/**
 * A payment as the page sees it. Ours (`out`) are `checked`, then confirmed. Theirs (`in`) are
 * `open` QR codes at first. `unknown`: the request left, and nobody knows what became of it, so a
 * transfer is never sent again. A QR code is also `unknown` if the contract does not list its status.
 */
export interface Payment {
  readonly id: string
  readonly direction: 'out' | 'in'
  readonly state:
    | 'checked'
    | 'sending'
    | 'pending'
    | 'open'
    | 'unknown'
    | 'settled'
    | 'rejected'
    | 'refused'
  /** Who is paid; of a payment `in`, who paid it. */
  readonly name: string
  readonly document: string | null
  /**
   * Null until the payer chooses it; of a payment `in`, what was paid. Always text: a float cannot
   * hold 0.10.
   */
  readonly amount: string | null
  /** Why it was rejected or refused. */
  readonly reason: string | null
  readonly at: number
  readonly end_to_end_id: string | null
  /** Names the response of an unknown outcome, in questions to the service. */
  readonly request_id: string | null
  /** The code of a payment `in`: the text, and a PNG in base64. */
  readonly emv: string | null
  readonly image: string | null
  /** Null until it is settled. */
  readonly receipt: Receipt | null
}

/**
 * What both sides show of a settled payment, as the service reported it. The guide “A receipt” says
 * why.
 */
export interface Receipt {
  readonly amount: string
  /** When the receiver got the money, in UTC (RFC 3339). */
  readonly settled_at: string
  readonly end_to_end_id: string
  readonly payer: Party
  /** Null where we are paid. */
  readonly payee: Party | null
  /** The `tx_id` of the code; empty if there is none. */
  readonly tx_id: string
  /** What the payer wrote; empty if nothing. */
  readonly message: string
}

/** Who pays or is paid. */
export interface Party {
  readonly name: string
  /** A CNPJ, or a CPF: masked in the receipt of a payer, which is passed on. */
  readonly document: string
  /** Names the institution. Empty if it is not known. */
  readonly ispb: string
}

/** What the page shows: the newest payments, and the sum of all that are settled. */
export interface Activity {
  readonly payments: readonly Payment[]
  readonly paid: string
  readonly received: string
}

/** What the page offers to try if the service is a sandbox. */
export interface Demo {
  readonly sandbox: string
  readonly key: string
  readonly code: string
}
