import { mount } from 'svelte'
import { loadChat } from '../ai-sdk-chat.ts'
import Page from './page.svelte'

mount(Page, { target: document.getElementById('root') as HTMLElement, props: await loadChat() })
