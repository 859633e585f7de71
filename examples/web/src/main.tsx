import { createPayments } from '@partner-payments/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'

const { baseUrl } = await json<{ baseUrl: string }>('/config')

/** For whom this page acts is for the back end to know. */
const payments = createPayments({
  baseUrl,
  auth: { token: () => json<string>('/token', { method: 'POST' }) },
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <App payments={payments} />
    </QueryClientProvider>
  </StrictMode>,
)

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}
