/** The partner and account that an access token stands for. */
export interface Caller {
  readonly partner_id: string
  /** The customer that the partner acts for, or null if it acts for itself. */
  readonly customer_id: string | null
  /** The account that pays and receives. */
  readonly account_id: string
}
