import { Notice } from "./notice.ts"
import { Page } from "./page.ts"
import { SignIn } from "./submission/signin.ts"
import { Conversation } from "./transcript/conversation.ts"

document.documentElement.classList.add("js")

const page = Page.of(document)
if (page) start(page)

function start(page: Page): void {
  const notice = new Notice(page)
  const signIn = new SignIn(page, notice)
  const conversation = new Conversation(page, signIn)
  conversation.start()
}
