import { createPayments } from '@partner-payments/client'

const { BASE_URL = '' } = process.env
const auth = { clientKey: 'partner', clientSecret: 'secret' }
export const payments = createPayments({ baseUrl: BASE_URL, auth })
