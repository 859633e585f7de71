import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { Receipt } from './Receipt.tsx'

const [, receipt] = /^\/receipts\/(\w+)$/.exec(location.pathname) ?? []
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>{receipt ? <Receipt id={receipt} /> : <App />}</StrictMode>,
)
