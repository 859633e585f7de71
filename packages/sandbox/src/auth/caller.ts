/** Who a token stands for. */
export interface Caller {
  readonly partner_id: string
  /** The customer that the partner acts for; null where it acts for itself. */
  readonly customer_id: string | null
  /** The account that pays and receives. */
  readonly account_id: string
}
