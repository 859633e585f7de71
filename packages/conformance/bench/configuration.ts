/** The configuration that is measured. */
export const configuration = {
  target: 'sandbox' as const,
  credentials: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
  timeMs: 500,
}
