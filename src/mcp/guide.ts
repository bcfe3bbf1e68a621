/** Told to every assistant at the start; clients cut it at 2 KB. */
export const INSTRUCTIONS = `Vitrine is a library of real app screens (web, iOS, Android) and flows (onboarding, checkout, paywall …) for design research.

How to work:
1. search_screens: say what a screen is for in plain words ("paywall with a yearly toggle", "empty inbox"); narrow by pattern, platform, appId, colors. Without a query it lists what passes the filters, with the exact total.
2. view_screens before you describe or judge a look: one numbered sheet for up to 8 ids. Text alone says nothing about design.
3. search_flows for journeys, get_flow to read one step by step, compare_flows for 2–4 side by side.
4. find_similar_screens for more like one, or like a picture the user hands over.
5. list_filters for the vocabulary and exact counts: use it for "how many" and when a search finds nothing.

Good to know: scores are 0–1 and each hit says why it matched. Filters are exact, meaning is a guess: check hits below 0.5 by looking at them. An empty list means that the library has nothing of the kind; say so. For words that must be on the screen use mode text. Variety: maxPerApp, excludeIds. Long answers go on with nextCursor. Cite screens and flows by id.

More: resource vitrine://guide; plan and scopes of the user: vitrine://account.`;

export const GUIDE = `# Doing design research with Vitrine

## What is here
Screens: one picture of one app each, with UI patterns (kebab-case, such as \`paywall\` or \`empty-state\`), a platform (IOS, ANDROID, WEB), dominant colours and the text on it. Flows: screens of one app in the order of a journey, with a type such as \`onboarding\`.

## Which tool
| question | tool |
| --- | --- |
| Show me screens that … | search_screens, then view_screens |
| How many, which apps, which patterns? | list_filters, or the total of search_screens without query |
| Does any app have …? | search_screens with pattern and platform; an empty list is an answer |
| How does app X do …? | search_flows with appId, then get_flow and view_screens (flowId) |
| How do X and Y differ in …? | search_flows for each, then compare_flows |
| More like this one | find_similar_screens by layout (arrangement) or by meaning (purpose) |
| How does my screen compare? | find_similar_screens with image, then view_screens |
| Screens in our brand colour | search_screens with colors, colorTolerance 5 (strict) to 20 (loose) |

## Searching well
- hybrid (the default) finds by meaning and lifts hits that also have the words. text wants every word to be on the screen, forgives typos, and takes "quoted phrases". semantic ignores the words.
- Patterns are exact where meaning is a guess: \`pattern: ["paywall"]\` with a query ranks all paywalls by the query.
- total is exact for filters and text mode; by meaning there is no end, so it is null.
- alike lists near-duplicates that a hit stands for.
- Nothing found: the hint says what to change.

## Looking
view_screens puts up to 8 screens on one sheet; the number on the picture is the number in the text. For small print ask for one screen with layout separate and size large.
`;
