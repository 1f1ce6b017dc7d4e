import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'

if (import.meta.env.MODE === 'tab') {
  const { createBrowserMock } = await import('usage-billing-mock/browser')
  const mock = await createBrowserMock({ persist: 'session' })
  mock.install({ url: '/billing' })
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
