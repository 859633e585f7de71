import { createSafeFetch } from '@partner-payments/client'

export const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:4010'
export const auth = { clientKey: 'partner', clientSecret: 'secret' }
export const safeFetch = createSafeFetch({ baseUrl, auth })
