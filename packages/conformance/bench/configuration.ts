import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

/** The configuration that is measured. */
export const configuration = {
  contract,
  target: 'sandbox' as const,
  strict: true,
  credentials: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
  timeMs: 500,
}
