import { createPayments } from '@partner-payments/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { json } from './backEnd.ts'

const root = document.getElementById('root') as HTMLElement
const { baseUrl, code } = await json<{ baseUrl: string; code: string }>('/config').catch((error) => {
  root.textContent = 'The back end does not answer. Load the page again in a moment.'
  throw error
})

/** For whom this page acts is for the back end to know. */
const payments = createPayments({
  baseUrl,
  auth: { token: () => json<string>('/token', { method: 'POST' }) },
})

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <App payments={payments} code={code} />
    </QueryClientProvider>
  </StrictMode>,
)
