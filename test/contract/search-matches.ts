/** What is found by what: captions that a question finds, and captions that it does not. */
export const MATCHES: { question: string; finds?: string[]; not?: string[] }[] = [
  // Words
  { question: 'payment', finds: ['Payment', 'PAYMENT method', 'your payments'], not: ['paint', 'pay'] },
  {
    question: 'free trial',
    finds: ['Trial is free', 'Free 7-day trial'],
    not: ['free', 'trial', 'freetrial'],
  },
  { question: 'the', finds: ['The end'], not: ['end'] },
  // Stems
  { question: 'subscription', finds: ['subscriptions'], not: ['description'] },
  { question: 'renewing monthly', finds: ['renews monthly', 'Renew monthly'], not: ['renewing yearly'] },
  // The last word may be unfinished
  { question: 'notificatio', finds: ['Notifications'], not: ['notify'] },
  { question: 'all notif', finds: ['all notifications'], not: ['notif', 'alley notifications'] },
  { question: 'sub plan', finds: ['sub plans'], not: ['subscription plan'] },
  // Typos
  { question: 'pasword', finds: ['password'], not: ['passwords', 'word'] },
  { question: 'cart', finds: ['card', 'crat', 'cat', 'carts', 'chart'], not: ['part', 'dart', 'tart'] },
  { question: 'setings now', finds: ['settings now'], not: ['setting now'] },
  { question: 'notifcatoins', finds: ['notifications'], not: ['modifications'] },
  { question: 'pay now', finds: ['pay now'], not: ['day now', 'pat now', 'pal now'] },
  { question: '2024', finds: ['in 2024', '20249'], not: ['in 2025', '204'] },
  { question: 'grüßen', finds: ['gruessen', 'Grussen', 'GRÜSSEN'] },
  // Accents, case, width, ligatures
  { question: 'cafe', finds: ['Café', 'CAFÉ', 'cafe\u0301', 'ｃａｆｅ'] },
  { question: 'résumé', finds: ['resume'] },
  { question: 'strasse', finds: ['Straße'] },
  { question: 'istanbul', finds: ['İstanbul', 'ISTANBUL'] },
  { question: 'lodz', finds: ['Łódź'] },
  { question: 'finance', finds: ['ﬁnance'] },
  { question: 'σισυφος', finds: ['ΣΊΣΥΦΟΣ'] },
  { question: 'елка', finds: ['Ёлка'] },
  // Apostrophes, hyphens, joints
  { question: "don't miss", finds: ['Don’t miss', 'dont miss', "DON'T MISS"], not: ['do miss'] },
  {
    question: 'sign-in',
    finds: ['Sign in', 'sign-in page', 'SIGN‐IN'],
    not: ['in sign', 'sign up in', 'signin'],
  },
  { question: 'sign in', finds: ['sign-in', 'in the sign'], not: ['sign'] },
  { question: 'node.js', finds: ['Node JS', 'node.js guide'], not: ['js node'] },
  {
    question: 'ann@example.org',
    finds: ['mail ann@example.org'],
    not: ['example ann org', 'ann@example.com'],
  },
  { question: 'login/signup', finds: ['signup or login', 'Login / Signup'], not: ['login'] },
  // Numbers and signs
  { question: '9.99', finds: ['$9.99/month', '9,99 €'], not: ['99 9', '9.90', '999'] },
  { question: '500+', finds: ['500 reviews', '500+ reviews'] },
  { question: 'c++', finds: ['Learn C++'], not: ['Learn C', 'Learn C#'] },
  { question: 'f#', finds: ['F# jobs'], not: ['F', 'C#'] },
  { question: 'vitrine', finds: ['Vitrine™', 'Vitrine®', 'vitrine¹'] },
  // Emoji
  { question: '👍', finds: ['great 👍🏽', '👍'], not: ['👎'] },
  { question: '❤', finds: ['with ❤️'] },
  { question: '🇫🇷', finds: ['Français 🇫🇷'], not: ['🇩🇪', 'FR'] },
  // Invisible characters
  { question: 'password', finds: ['pass\u200Bword', 'pass\u00ADword', '\uFEFFpassword'] },
  // Scripts without spaces
  { question: '支付', finds: ['请支付订单', '支付'], not: ['付支', '支 x 付', '支出付款'] },
  { question: '购物车', finds: ['我的购物车'], not: ['购车物'] },
  { question: 'テスト', finds: ['新しいﾃｽﾄです'], not: ['テキスト'] },
  { question: 'か', finds: ['かさ'], not: ['がさ'] },
  { question: '설정', finds: ['앱설정 화면'], not: ['정설'] },
  { question: 'ตั้งค่า', finds: ['การตั้งค่าแอป'], not: ['ตังคา'] },
  { question: 'iphone手机', finds: ['iPhone 手机壳'], not: ['手机 iPhone'] },
  // Marks that are half the letter stay
  { question: 'हिन्दी', finds: ['भाषा हिन्दी'], not: ['हनद'] },
  { question: 'مرحبا', finds: ['مرحبا بك'], not: ['حبا'] },
  // Phrases
  {
    question: '"sign in"',
    finds: ['Please sign in now', 'sign-in'],
    not: ['in sign', 'sign me in', 'signs in'],
  },
  { question: '“free trial” start', finds: ['Start a free trial'], not: ['start trial free', 'free trial'] },
  { question: '"setting"', finds: ['a setting'], not: ['settings', 'seting'] },
  { question: '"free', finds: ['free', 'freedom'] },
  { question: '"" plan', finds: ['plan'], not: ['free'] },
];

/** Question marks, operators, brackets: none of it is syntax, none of it may fail. */
export const ODD_QUESTIONS = [
  'a AND b',
  'NEAR(a b, 2)',
  'a OR',
  'NOT a',
  'a*',
  '*',
  '^a',
  '-a +b',
  'word:a',
  '{word} : a',
  '(a',
  'a) OR (b',
  '"a',
  'a""b',
  '""',
  '"',
  "'; DROP TABLE screen; --",
  '\\',
  'a\u0000b',
  '\ud800',
  '%_?',
  '¶',
  '???',
  '🤷‍♀️',
  'x'.repeat(5000),
  Array.from({ length: 300 }, (_, index) => `word${index}`).join(' '),
];
