# Made by `npm run clients` from /openapi.json, the graph and clients/graph; not to be edited.
"""What requests and answers look like, and where each operation is."""

from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, Union

# ruff: noqa: E501


class SignInDataAttributes(TypedDict):
    username: str
    password: str


class SignInData(TypedDict):
    id: NotRequired[str]
    type: Literal["auth-request"]
    attributes: SignInDataAttributes


class SignIn(TypedDict):
    data: SignInData


class SecondFactorDataAttributes(TypedDict):
    code: str


class SecondFactorData(TypedDict):
    id: NotRequired[str]
    type: Literal["second-factor"]
    attributes: SecondFactorDataAttributes


class SecondFactor(TypedDict):
    data: SecondFactorData


class ProxyBindingCreationDataAttributes(TypedDict):
    real_addresses: NotRequired[Union[list[str], None]]
    proxy_address: NotRequired[Union[str, None]]
    callback_url: NotRequired[Union[str, None]]
    is_browsable: NotRequired[Union[bool, Literal["true"], Literal["false"], Literal[1], Literal[0], None]]
    description: NotRequired[Union[str, None]]


class ProxyBindingCreationData(TypedDict):
    id: NotRequired[str]
    type: Literal["proxy_bindings"]
    attributes: ProxyBindingCreationDataAttributes


class ProxyBindingCreation(TypedDict):
    data: ProxyBindingCreationData


class ProxyBindingChangeDataAttributesRealAddresses22(TypedDict):
    is_enabled: bool


class ProxyBindingChangeDataAttributes(TypedDict):
    real_addresses: NotRequired[Union[list[str], dict[str, Union[bool, ProxyBindingChangeDataAttributesRealAddresses22]], None]]
    proxy_address: NotRequired[str]
    description: NotRequired[Union[str, None]]
    callback_url: NotRequired[Union[str, None]]
    is_browsable: NotRequired[Union[bool, Literal["true"], Literal["false"], Literal[1], Literal[0], None]]
    new_real_address: NotRequired[Union[str, None]]
    wildcard_auto_create: NotRequired[Union[bool, Literal["true"], Literal["false"], Literal[1], Literal[0], None]]
    received_emails: NotRequired[Any]


class ProxyBindingChangeData(TypedDict):
    id: NotRequired[str]
    type: Literal["proxy_bindings"]
    attributes: ProxyBindingChangeDataAttributes


class ProxyBindingChange(TypedDict):
    data: ProxyBindingChangeData


class PutAddressRealAddresses(TypedDict):
    address: str
    isEnabled: NotRequired[Union[bool, None]]


class PutAddress(TypedDict):
    description: NotRequired[Union[str, None]]
    callbackUrl: NotRequired[Union[str, None]]
    displayName: NotRequired[Union[str, None]]
    isBrowsable: NotRequired[Union[bool, None]]
    answers: NotRequired[Union[bool, None]]
    answersStrangers: NotRequired[Union[bool, None]]
    sendsEncrypted: NotRequired[Union[bool, None]]
    realAddresses: NotRequired[Union[list[PutAddressRealAddresses], None]]


class Pattern(TypedDict):
    glob: str
    targets: NotRequired[list[str]]
    creates: NotRequired[bool]
    perHour: NotRequired[int]


PutRuleConditions = TypedDict("PutRuleConditions", {
    "senders": NotRequired[list[str]],
    "clientNetworks": NotRequired[list[str]],
    "tags": NotRequired[list[str]],
    "from": NotRequired[list[str]],
    "dmarc": NotRequired[list[Union[Literal["pass"], Literal["fail"], Literal["none"], Literal["unknown"]]]],
    "dkim": NotRequired[list[Union[Literal["pass"], Literal["fail"], Literal["none"], Literal["unknown"]]]],
    "subjectContains": NotRequired[list[str]],
    "listIds": NotRequired[list[str]],
    "largerThan": NotRequired[int],
    "smallerThan": NotRequired[int],
})


class PutRuleActions(TypedDict):
    refuse: NotRequired[bool]
    discard: NotRequired[bool]
    tagSubject: NotRequired[str]
    forwardTo: NotRequired[list[str]]
    callbackOnly: NotRequired[bool]
    keepOnly: NotRequired[bool]
    limitPerHour: NotRequired[int]


class PutRule(TypedDict):
    binding: NotRequired[Union[str, None]]
    domain: NotRequired[Union[str, None]]
    position: NotRequired[Union[int, None]]
    name: NotRequired[Union[str, None]]
    conditions: NotRequired[Union[PutRuleConditions, None]]
    actions: NotRequired[Union[PutRuleActions, None]]
    expiresAt: NotRequired[Union[str, None]]


class PutApiKey(TypedDict):
    scopes: list[Union[Literal["alias:create"], Literal["alias:read"], Literal["alias:write"], Literal["mail:read"], Literal["mail:send"], Literal["admin"]]]
    domain: NotRequired[Union[str, None]]
    targetIds: NotRequired[Union[list[str], None]]
    expiresAt: NotRequired[Union[str, None]]


NextEmailQuestion = TypedDict("NextEmailQuestion", {
    "binding": NotRequired[Union[str, None]],
    "recipient": NotRequired[Union[str, None]],
    "from": NotRequired[Union[str, None]],
    "subject": NotRequired[Union[str, None]],
    "since": NotRequired[Union[str, None]],
    "waiter": NotRequired[Union[str, None]],
    "take": NotRequired[Union[bool, None]],
    "waitS": NotRequired[Union[float, None]],
})


class NewMessageAttachments(TypedDict):
    filename: str
    mime: NotRequired[Union[str, None]]
    content: str


NewMessage = TypedDict("NewMessage", {
    "from": str,
    "to": NotRequired[list[str]],
    "cc": NotRequired[list[str]],
    "bcc": NotRequired[list[str]],
    "subject": NotRequired[str],
    "text": NotRequired[Union[str, None]],
    "html": NotRequired[Union[str, None]],
    "attachments": NotRequired[list[NewMessageAttachments]],
})


class NewImport(TypedDict):
    source: Union[Literal["simplelogin"], Literal["simplelogin-api"], Literal["addy"], Literal["relay"], Literal["postern"]]
    content: NotRequired[Union[str, None]]
    baseUrl: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]


class NewContactDataAttributes(TypedDict):
    recipient_email: str
    description: NotRequired[Union[str, None]]


class NewContactDataRelationshipsProxyBindingData(TypedDict):
    type: Literal["proxy_bindings"]
    id: str


class NewContactDataRelationshipsProxyBinding(TypedDict):
    data: NewContactDataRelationshipsProxyBindingData


class NewContactDataRelationships(TypedDict):
    proxy_binding: NewContactDataRelationshipsProxyBinding


class NewContactData(TypedDict):
    id: NotRequired[str]
    type: Literal["proxy_binding_contacts"]
    attributes: NewContactDataAttributes
    relationships: NewContactDataRelationships


class NewContact(TypedDict):
    data: NewContactData


Timestamp = str


TokenDataAttributes = TypedDict("TokenDataAttributes", {
    "token": str,
    "expires_at": Timestamp,
    "2fa_granted": Union[Literal[0], Literal[1]],
    "isNewAcc": bool,
})


class TokenDataRelationshipsUserData(TypedDict):
    type: Literal["users"]
    id: str


class TokenDataRelationshipsUser(TypedDict):
    data: TokenDataRelationshipsUserData


class TokenDataRelationships(TypedDict):
    user: TokenDataRelationshipsUser


class TokenData(TypedDict):
    type: Literal["oauth-access-tokens"]
    id: str
    attributes: TokenDataAttributes
    relationships: TokenDataRelationships


class Token(TypedDict):
    data: TokenData


class ErrorDataAttributes(TypedDict):
    message: str
    exception: str
    file: str
    line: Literal[0]


class ErrorData(TypedDict):
    id: str
    type: Literal["errors"]
    attributes: ErrorDataAttributes


class Error(TypedDict):
    data: ErrorData


class ApiToken(TypedDict):
    token: str


class UserMetaPlan(TypedDict):
    isPaid: bool


class UserMeta(TypedDict):
    plan: UserMetaPlan


UserDataAttributes = TypedDict("UserDataAttributes", {
    "username": str,
    "email": Union[str, None],
    "2fa_enabled": bool,
    "webhook_secret": NotRequired[str],
})


class UserData(TypedDict):
    type: Literal["users"]
    id: str
    attributes: UserDataAttributes


class User(TypedDict):
    meta: UserMeta
    data: UserData


class ProxyBindingListMeta(TypedDict):
    usedProxyBindings: int
    availableProxyBindings: int
    isVerificationEmailSend: bool


class ProxyBindingListDataAttributesRealAddresses(TypedDict):
    is_enabled: bool
    is_verified: bool
    is_verification_needed: bool


class ProxyBindingListDataAttributes(TypedDict):
    real_addresses: dict[str, ProxyBindingListDataAttributesRealAddresses]
    proxy_address: str
    received_emails: int
    description: str
    callback_url: str
    type: Union[Literal[0], Literal[1]]
    is_browsable: bool
    created_at: Timestamp
    updated_at: Timestamp


class ProxyBindingListDataRelationshipsUserData(TypedDict):
    type: Literal["users"]
    id: str


class ProxyBindingListDataRelationshipsUser(TypedDict):
    data: ProxyBindingListDataRelationshipsUserData


class ProxyBindingListDataRelationships(TypedDict):
    user: ProxyBindingListDataRelationshipsUser


class ProxyBindingListData(TypedDict):
    type: Literal["proxy_bindings"]
    id: str
    attributes: ProxyBindingListDataAttributes
    relationships: ProxyBindingListDataRelationships


class ProxyBindingList(TypedDict):
    meta: ProxyBindingListMeta
    data: list[ProxyBindingListData]


class ProxyBindingMeta(TypedDict):
    isVerificationEmailSend: bool
    firstProxyBinding: bool


class ProxyBindingDataAttributesRealAddresses(TypedDict):
    is_enabled: bool
    is_verified: bool


class ProxyBindingDataAttributes(TypedDict):
    real_addresses: dict[str, ProxyBindingDataAttributesRealAddresses]
    proxy_address: str
    received_emails: int
    description: str
    callback_url: str
    type: Union[Literal[0], Literal[1]]
    is_browsable: bool
    created_at: Timestamp
    updated_at: Timestamp


class ProxyBindingDataRelationshipsUserData(TypedDict):
    type: Literal["users"]
    id: str


class ProxyBindingDataRelationshipsUser(TypedDict):
    data: ProxyBindingDataRelationshipsUserData


class ProxyBindingDataRelationships(TypedDict):
    user: ProxyBindingDataRelationshipsUser


class ProxyBindingData(TypedDict):
    type: Literal["proxy_bindings"]
    id: str
    attributes: ProxyBindingDataAttributes
    relationships: ProxyBindingDataRelationships


class ProxyBinding(TypedDict):
    meta: ProxyBindingMeta
    data: ProxyBindingData


class ListedProxyBindingDataAttributesRealAddresses(TypedDict):
    is_enabled: bool
    is_verified: bool
    is_verification_needed: bool


class ListedProxyBindingDataAttributes(TypedDict):
    real_addresses: dict[str, ListedProxyBindingDataAttributesRealAddresses]
    proxy_address: str
    received_emails: int
    description: str
    callback_url: str
    type: Union[Literal[0], Literal[1]]
    is_browsable: bool
    created_at: Timestamp
    updated_at: Timestamp


class ListedProxyBindingDataRelationshipsUserData(TypedDict):
    type: Literal["users"]
    id: str


class ListedProxyBindingDataRelationshipsUser(TypedDict):
    data: ListedProxyBindingDataRelationshipsUserData


class ListedProxyBindingDataRelationships(TypedDict):
    user: ListedProxyBindingDataRelationshipsUser


class ListedProxyBindingData(TypedDict):
    type: Literal["proxy_bindings"]
    id: str
    attributes: ListedProxyBindingDataAttributes
    relationships: ListedProxyBindingDataRelationships


class ListedProxyBinding(TypedDict):
    data: ListedProxyBindingData


class ReceivedEmailLinksDataAttributes(TypedDict):
    recipient_email: str
    sender_email: str
    subject: str
    attachmentsCounter: int
    link: str
    is_processed: bool
    created_at: Timestamp
    updated_at: Timestamp


class ReceivedEmailLinksData(TypedDict):
    type: Literal["received_emails_link"]
    id: str
    attributes: ReceivedEmailLinksDataAttributes


class ReceivedEmailLinksLinks(TypedDict):
    next: Union[str, None]


class ReceivedEmailLinks(TypedDict):
    data: list[ReceivedEmailLinksData]
    links: NotRequired[ReceivedEmailLinksLinks]


class ReceivedEmailDataAttributesAttachments(TypedDict):
    filename: str
    mime: str
    size: int
    content_id: Union[str, None]
    url: str


class ReceivedEmailDataAttributes(TypedDict):
    recipient_email: str
    sender_email: str
    subject: str
    payload: dict[str, Any]
    attachments: list[ReceivedEmailDataAttributesAttachments]
    is_truncated: bool
    is_processed: bool
    created_at: Timestamp
    updated_at: Timestamp


class ReceivedEmailData(TypedDict):
    type: Literal["received_emails_details"]
    id: str
    attributes: ReceivedEmailDataAttributes


class ReceivedEmail(TypedDict):
    data: ReceivedEmailData


class Recorder(TypedDict):
    status: Literal["ok"]
    call_url: str
    get_url: str
    id: str


class Recording(TypedDict):
    status: Literal["ok"]
    code: Literal["ok"]
    is_received: bool
    payload: Union[dict[str, Any], list[Any], str, None]
    method: Union[str, None]


class AddressRealAddresses(TypedDict):
    id: str
    address: str
    isEnabled: bool
    isVerified: bool
    suspendedAt: Union[str, None]
    isVerificationNeeded: bool
    spfSuffices: bool


class Address(TypedDict):
    id: str
    proxyAddress: str
    isAutomatic: bool
    createdAt: str
    updatedAt: str
    realAddresses: list[AddressRealAddresses]
    description: str
    callbackUrl: str
    isBrowsable: bool
    answers: bool
    displayName: str
    answersStrangers: bool
    sendsEncrypted: bool


class DomainRecord(TypedDict):
    name: str
    type: Union[Literal["TXT"], Literal["MX"], Literal["CNAME"]]
    expected: str
    found: str
    verdict: Union[Literal["ok"], Literal["missing"], Literal["wrong"], Literal["advised"], Literal["warning"], Literal["unknown"]]


class Domain(TypedDict):
    id: str
    name: str
    state: Union[Literal["unverified"], Literal["verified"], Literal["broken"], Literal["removed"]]
    records: list[DomainRecord]


RuleConditions = TypedDict("RuleConditions", {
    "senders": NotRequired[list[str]],
    "clientNetworks": NotRequired[list[str]],
    "tags": NotRequired[list[str]],
    "from": NotRequired[list[str]],
    "dmarc": NotRequired[list[Union[Literal["pass"], Literal["fail"], Literal["none"], Literal["unknown"]]]],
    "dkim": NotRequired[list[Union[Literal["pass"], Literal["fail"], Literal["none"], Literal["unknown"]]]],
    "subjectContains": NotRequired[list[str]],
    "listIds": NotRequired[list[str]],
    "largerThan": NotRequired[int],
    "smallerThan": NotRequired[int],
})


class RuleActions(TypedDict):
    refuse: NotRequired[bool]
    discard: NotRequired[bool]
    tagSubject: NotRequired[str]
    forwardTo: NotRequired[list[str]]
    callbackOnly: NotRequired[bool]
    keepOnly: NotRequired[bool]
    limitPerHour: NotRequired[int]


class Rule(TypedDict):
    id: str
    bindingId: Union[str, None]
    domainId: Union[str, None]
    position: int
    name: str
    conditions: RuleConditions
    actions: RuleActions
    expiresAt: Union[str, None]
    hits: int
    lastHitAt: Union[str, None]
    createdAt: str
    updatedAt: str


class ApiKey(TypedDict):
    id: str
    name: str
    scopes: list[str]
    domain: Union[str, None]
    targetIds: list[str]
    expiresAt: Union[str, None]
    lastUsedAt: Union[str, None]
    createdAt: str
    key: NotRequired[str]


class NextEmailAttributesAttachments(TypedDict):
    filename: str
    mime: str
    size: int
    content_id: Union[str, None]
    url: str


class NextEmailAttributes(TypedDict):
    recipient_email: str
    sender_email: str
    subject: str
    payload: dict[str, Any]
    attachments: list[NextEmailAttributesAttachments]
    is_truncated: bool
    is_processed: bool
    created_at: Timestamp
    updated_at: Timestamp


class NextEmail(TypedDict):
    id: str
    attributes: NextEmailAttributes
    codes: list[str]
    links: list[str]


class MessageSent(TypedDict):
    id: str


class Import(TypedDict):
    id: str
    source: Union[Literal["simplelogin"], Literal["simplelogin-api"], Literal["addy"], Literal["relay"], Literal["postern"]]
    state: Union[Literal["reading"], Literal["checked"], Literal["waiting"], Literal["done"], Literal["failed"]]
    fault: str
    total: int
    done: int
    createdAt: str
    finishedAt: Union[str, None]


class ImportRow(TypedDict):
    position: int
    kind: Union[Literal["domain"], Literal["address"], Literal["patterns"], Literal["contact"], Literal["rule"]]
    old: str
    new: Union[str, None]
    verdict: Union[Literal["same"], Literal["new"], Literal["exists"], Literal["refused"]]
    state: Union[Literal["waiting"], Literal["done"], Literal["left"], Literal["refused"]]
    detail: str


class WebhookOff(TypedDict):
    at: str
    reason: Union[Literal["gone"], Literal["failing"]]


class Webhook(TypedDict):
    url: str
    kinds: list[Union[Literal["email.arrived"], Literal["delivery.settled"], Literal["delivery.bounced"], Literal["address.made"], Literal["address.removed"]]]
    bindingIds: list[str]
    off: Union[WebhookOff, None]


class Nothing(TypedDict):
    pass


class ContactAttributes(TypedDict):
    status: Literal[1]
    recipient_email: str
    reverse_proxy_address: str
    description: str


class ContactRelationshipsProxyBindingData(TypedDict):
    type: Literal["proxy_bindings"]
    id: str


class ContactRelationshipsProxyBinding(TypedDict):
    data: ContactRelationshipsProxyBindingData


class ContactRelationshipsUserData(TypedDict):
    type: Literal["users"]
    id: str


class ContactRelationshipsUser(TypedDict):
    data: ContactRelationshipsUserData


class ContactRelationships(TypedDict):
    proxy_binding: ContactRelationshipsProxyBinding
    user: ContactRelationshipsUser


class Contact(TypedDict):
    type: Literal["proxy_binding_contacts"]
    id: str
    attributes: ContactAttributes
    relationships: ContactRelationships


class PatternOutput(TypedDict):
    glob: str
    targets: list[str]
    creates: bool
    perHour: int


class CreateProxyBindingInput(TypedDict):
    proxyAddress: NotRequired[Union[str, None]]
    realAddresses: NotRequired[Union[list[str], None]]
    callbackUrl: NotRequired[Union[str, None]]
    isBrowsable: NotRequired[Union[bool, None]]
    description: NotRequired[Union[str, None]]
    answers: NotRequired[Union[bool, None]]
    displayName: NotRequired[Union[str, None]]
    answersStrangers: NotRequired[Union[bool, None]]
    sendsEncrypted: NotRequired[Union[bool, None]]


class RealAddressInput(TypedDict):
    address: str
    isEnabled: NotRequired[bool]
    spfSuffices: NotRequired[Union[bool, None]]


class UpdateProxyBindingInput(TypedDict):
    realAddresses: NotRequired[Union[list[RealAddressInput], None]]
    callbackUrl: NotRequired[Union[str, None]]
    isBrowsable: NotRequired[Union[bool, None]]
    description: NotRequired[Union[str, None]]
    answers: NotRequired[Union[bool, None]]
    displayName: NotRequired[Union[str, None]]
    answersStrangers: NotRequired[Union[bool, None]]
    sendsEncrypted: NotRequired[Union[bool, None]]


class CreateApiKeyInput(TypedDict):
    name: str
    scopes: list[str]
    domain: NotRequired[Union[str, None]]
    targetIds: NotRequired[Union[list[str], None]]
    expiresAt: NotRequired[Union[str, None]]


SignInBody = SignIn


SignInAnswer = Token


ShowApiTokenAnswer = ApiToken


GrantSecondFactorBody = SecondFactor


GrantSecondFactorAnswer = Token


ShowUserAnswer = User


ListProxyBindingsAnswer = ProxyBindingList


CreateProxyBindingBody = ProxyBindingCreation


CreateProxyBindingAnswer = ProxyBinding


ShowProxyBindingAnswer = ListedProxyBinding


UpdateProxyBindingBody = ProxyBindingChange


UpdateProxyBindingAnswer = ProxyBinding


ListReceivedEmailLinksAnswer = ReceivedEmailLinks


ShowReceivedEmailAnswer = ReceivedEmail


CreateRecorderAnswer = Recorder


ShowRecordingAnswer = Recording


class ShowAddressAnswer(TypedDict):
    data: Address


PutAddressBody = PutAddress


class PutAddressAnswer(TypedDict):
    data: Address


class ListDomainsAnswer(TypedDict):
    data: list[Domain]
    next: NotRequired[str]


class AddDomainBody(TypedDict):
    name: str


class AddDomainAnswer(TypedDict):
    data: Domain


class ShowDomainAnswer(TypedDict):
    data: Domain


class PutDomainAnswer(TypedDict):
    data: Domain


class CheckDomainAnswer(TypedDict):
    data: Domain


class ListPatternsAnswer(TypedDict):
    data: list[PatternOutput]
    next: NotRequired[str]


class SetPatternsBody(TypedDict):
    patterns: list[Pattern]


class SetPatternsAnswer(TypedDict):
    data: list[PatternOutput]
    next: NotRequired[str]


class ListRulesAnswer(TypedDict):
    data: list[Rule]
    next: NotRequired[str]


class ShowRuleAnswer(TypedDict):
    data: Rule


PutRuleBody = PutRule


class PutRuleAnswer(TypedDict):
    data: Rule


class ListApiKeysAnswer(TypedDict):
    data: list[ApiKey]
    next: NotRequired[str]


class ShowApiKeyAnswer(TypedDict):
    data: ApiKey


PutApiKeyBody = PutApiKey


class PutApiKeyAnswer(TypedDict):
    data: ApiKey


NextEmailBody = NextEmailQuestion


class NextEmailAnswer(TypedDict):
    data: NextEmail


SendMessageBody = NewMessage


class SendMessageAnswer(TypedDict):
    data: MessageSent


ReadEventsAnswer = list[Any]


class ListImportsAnswer(TypedDict):
    data: list[Import]
    next: NotRequired[str]


ImportDryRunBody = NewImport


class ImportDryRunAnswer(TypedDict):
    data: Import


class ShowImportAnswer(TypedDict):
    data: Import


class StartImportBody(TypedDict):
    makesNewAddresses: NotRequired[Union[bool, None]]


class StartImportAnswer(TypedDict):
    data: Import


class ListImportRowsAnswer(TypedDict):
    data: list[ImportRow]
    next: NotRequired[str]


class ShowWebhookAnswer(TypedDict):
    data: Webhook


class PutWebhookBody(TypedDict):
    url: str
    kinds: NotRequired[list[Union[Literal["email.arrived"], Literal["delivery.settled"], Literal["delivery.bounced"], Literal["address.made"], Literal["address.removed"]]]]
    bindingIds: NotRequired[list[str]]


class PutWebhookAnswer(TypedDict):
    data: Webhook


class SignUpBodyDataAttributes(TypedDict):
    username: str
    password: str


class SignUpBodyData(TypedDict):
    id: NotRequired[str]
    type: Literal["users"]
    attributes: SignUpBodyDataAttributes


class SignUpBody(TypedDict):
    data: SignUpBodyData


SignUpAnswer = Nothing


class ResendConfirmationBodyDataAttributes(TypedDict):
    email: str


class ResendConfirmationBodyData(TypedDict):
    id: NotRequired[str]
    type: Literal["confirmation"]
    attributes: ResendConfirmationBodyDataAttributes


class ResendConfirmationBody(TypedDict):
    data: ResendConfirmationBodyData


ResendConfirmationAnswer = Nothing


class ReplaceRealEmailBodyDataAttributes(TypedDict):
    oldEmail: str
    newEmail: str


class ReplaceRealEmailBodyData(TypedDict):
    id: NotRequired[str]
    type: Literal["replace-real-emails"]
    attributes: ReplaceRealEmailBodyDataAttributes


class ReplaceRealEmailBody(TypedDict):
    data: ReplaceRealEmailBodyData


class ReplaceRealEmailAnswer(TypedDict):
    pass


class BeginSecondFactorAnswer(TypedDict):
    qr_url: str
    secret: str


class ConfirmSecondFactorBodyData(TypedDict):
    code: str


class ConfirmSecondFactorBody(TypedDict):
    data: ConfirmSecondFactorBodyData


class ConfirmSecondFactorAnswerDataAttributes(TypedDict):
    codes: list[str]


class ConfirmSecondFactorAnswerData(TypedDict):
    attributes: ConfirmSecondFactorAnswerDataAttributes


class ConfirmSecondFactorAnswer(TypedDict):
    data: ConfirmSecondFactorAnswerData


class RemoveSecondFactorBodyData(TypedDict):
    code: str


class RemoveSecondFactorBody(TypedDict):
    data: NotRequired[RemoveSecondFactorBodyData]


CreateContactBody = NewContact


class CreateContactAnswer(TypedDict):
    data: Contact


class ListContactsAnswer(TypedDict):
    data: list[Contact]


class ListAddressesDataProxyBindingsNodesRealAddresses(TypedDict):
    address: str
    isEnabled: bool
    isVerified: bool


class ListAddressesDataProxyBindingsNodes(TypedDict):
    id: str
    proxyAddress: str
    description: str
    callbackUrl: str
    isBrowsable: bool
    isAutomatic: bool
    answers: bool
    displayName: str
    receivedEmails: int
    createdAt: str
    updatedAt: str
    realAddresses: list[ListAddressesDataProxyBindingsNodesRealAddresses]


class ListAddressesDataProxyBindingsPageInfo(TypedDict):
    hasNextPage: bool
    endCursor: Union[str, None]


class ListAddressesDataProxyBindings(TypedDict):
    nodes: list[ListAddressesDataProxyBindingsNodes]
    pageInfo: ListAddressesDataProxyBindingsPageInfo


class ListAddressesData(TypedDict):
    proxyBindings: Union[ListAddressesDataProxyBindings, None]


class ShowAddressDataProxyBindingRealAddresses(TypedDict):
    address: str
    isEnabled: bool
    isVerified: bool


class ShowAddressDataProxyBinding(TypedDict):
    id: str
    proxyAddress: str
    description: str
    callbackUrl: str
    isBrowsable: bool
    isAutomatic: bool
    answers: bool
    displayName: str
    receivedEmails: int
    createdAt: str
    updatedAt: str
    realAddresses: list[ShowAddressDataProxyBindingRealAddresses]


class ShowAddressData(TypedDict):
    proxyBinding: Union[ShowAddressDataProxyBinding, None]


class CreateAddressDataCreateProxyBindingProxyBindingRealAddresses(TypedDict):
    address: str
    isEnabled: bool
    isVerified: bool


class CreateAddressDataCreateProxyBindingProxyBinding(TypedDict):
    id: str
    proxyAddress: str
    description: str
    callbackUrl: str
    isBrowsable: bool
    isAutomatic: bool
    answers: bool
    displayName: str
    receivedEmails: int
    createdAt: str
    updatedAt: str
    realAddresses: list[CreateAddressDataCreateProxyBindingProxyBindingRealAddresses]


class CreateAddressDataCreateProxyBinding(TypedDict):
    isCreated: bool
    proxyBinding: CreateAddressDataCreateProxyBindingProxyBinding


class CreateAddressData(TypedDict):
    createProxyBinding: Union[CreateAddressDataCreateProxyBinding, None]


class UpdateAddressDataUpdateProxyBindingProxyBindingRealAddresses(TypedDict):
    address: str
    isEnabled: bool
    isVerified: bool


class UpdateAddressDataUpdateProxyBindingProxyBinding(TypedDict):
    id: str
    proxyAddress: str
    description: str
    callbackUrl: str
    isBrowsable: bool
    isAutomatic: bool
    answers: bool
    displayName: str
    receivedEmails: int
    createdAt: str
    updatedAt: str
    realAddresses: list[UpdateAddressDataUpdateProxyBindingProxyBindingRealAddresses]


class UpdateAddressDataUpdateProxyBinding(TypedDict):
    proxyBinding: UpdateAddressDataUpdateProxyBindingProxyBinding


class UpdateAddressData(TypedDict):
    updateProxyBinding: Union[UpdateAddressDataUpdateProxyBinding, None]


class RemoveAddressDataDeleteProxyBinding(TypedDict):
    id: str


class RemoveAddressData(TypedDict):
    deleteProxyBinding: Union[RemoveAddressDataDeleteProxyBinding, None]


class ListContactsDataProxyBindingContactsNodes(TypedDict):
    id: str
    address: str
    name: str
    reverseAddress: str
    isBlocked: bool
    received: int
    sent: int
    lastSeenAt: str


class ListContactsDataProxyBindingContactsPageInfo(TypedDict):
    hasNextPage: bool
    endCursor: Union[str, None]


class ListContactsDataProxyBindingContacts(TypedDict):
    nodes: list[ListContactsDataProxyBindingContactsNodes]
    pageInfo: ListContactsDataProxyBindingContactsPageInfo


class ListContactsDataProxyBinding(TypedDict):
    contacts: Union[ListContactsDataProxyBindingContacts, None]


class ListContactsData(TypedDict):
    proxyBinding: Union[ListContactsDataProxyBinding, None]


class CreateContactDataCreateContactContact(TypedDict):
    id: str
    address: str
    name: str
    reverseAddress: str
    isBlocked: bool
    received: int
    sent: int
    lastSeenAt: str


class CreateContactDataCreateContact(TypedDict):
    contact: CreateContactDataCreateContactContact


class CreateContactData(TypedDict):
    createContact: Union[CreateContactDataCreateContact, None]


class UpdateContactDataUpdateContactContact(TypedDict):
    id: str
    address: str
    name: str
    reverseAddress: str
    isBlocked: bool
    received: int
    sent: int
    lastSeenAt: str


class UpdateContactDataUpdateContact(TypedDict):
    contact: UpdateContactDataUpdateContactContact


class UpdateContactData(TypedDict):
    updateContact: Union[UpdateContactDataUpdateContact, None]


class RemoveContactDataDeleteContact(TypedDict):
    id: str


class RemoveContactData(TypedDict):
    deleteContact: Union[RemoveContactDataDeleteContact, None]


class ListKeysDataApiKeys(TypedDict):
    id: str
    name: str
    scopes: list[str]
    domain: Union[str, None]
    targetIds: list[str]
    expiresAt: Union[str, None]
    lastUsedAt: Union[str, None]
    createdAt: str


class ListKeysData(TypedDict):
    apiKeys: Union[list[ListKeysDataApiKeys], None]


class CreateKeyDataCreateApiKeyApiKey(TypedDict):
    id: str
    name: str
    scopes: list[str]
    domain: Union[str, None]
    targetIds: list[str]
    expiresAt: Union[str, None]
    lastUsedAt: Union[str, None]
    createdAt: str


class CreateKeyDataCreateApiKey(TypedDict):
    key: str
    apiKey: CreateKeyDataCreateApiKeyApiKey


class CreateKeyData(TypedDict):
    createApiKey: Union[CreateKeyDataCreateApiKey, None]


class RevokeKeyDataRevokeApiKey(TypedDict):
    id: str


class RevokeKeyData(TypedDict):
    revokeApiKey: Union[RevokeKeyDataRevokeApiKey, None]


class Place(NamedTuple):
    method: str
    path: str


class Document(NamedTuple):
    is_mutation: bool
    text: str


REST: dict[str, Place] = {
    "signIn": Place("POST", "/api/v1/auth"),
    "showApiToken": Place("GET", "/api/v1/api-token"),
    "grantSecondFactor": Place("POST", "/api/v1/2fa"),
    "showUser": Place("GET", "/api/v1/users/me"),
    "listProxyBindings": Place("GET", "/api/v1/proxy-bindings"),
    "createProxyBinding": Place("POST", "/api/v1/proxy-bindings"),
    "showProxyBinding": Place("GET", "/api/v1/proxy-bindings/{id}"),
    "updateProxyBinding": Place("PATCH", "/api/v1/proxy-bindings/{id}"),
    "deleteProxyBinding": Place("DELETE", "/api/v1/proxy-bindings/{id}"),
    "listReceivedEmailLinks": Place("GET", "/api/v1/received-emails-links/{proxyBindingId}"),
    "showReceivedEmail": Place("GET", "/api/v1/received-emails/{receivedEmailId}"),
    "deleteReceivedEmail": Place("DELETE", "/api/v1/received-emails/{receivedEmailId}"),
    "createRecorder": Place("POST", "/api/v1/callback"),
    "showRecording": Place("GET", "/api/v1/callback/get/{hash}"),
    "deleteRecorder": Place("DELETE", "/api/v1/recorders/{hash}"),
    "showAddress": Place("GET", "/api/postern/v1/addresses/{id}"),
    "putAddress": Place("PUT", "/api/postern/v1/addresses/{id}"),
    "removeAddress": Place("DELETE", "/api/postern/v1/addresses/{id}"),
    "listDomains": Place("GET", "/api/postern/v1/domains"),
    "addDomain": Place("POST", "/api/postern/v1/domains"),
    "showDomain": Place("GET", "/api/postern/v1/domains/{id}"),
    "putDomain": Place("PUT", "/api/postern/v1/domains/{id}"),
    "removeDomain": Place("DELETE", "/api/postern/v1/domains/{id}"),
    "checkDomain": Place("POST", "/api/postern/v1/domains/{id}/check"),
    "listPatterns": Place("GET", "/api/postern/v1/domains/{id}/patterns"),
    "setPatterns": Place("PUT", "/api/postern/v1/domains/{id}/patterns"),
    "listRules": Place("GET", "/api/postern/v1/rules"),
    "showRule": Place("GET", "/api/postern/v1/rules/{id}"),
    "putRule": Place("PUT", "/api/postern/v1/rules/{id}"),
    "removeRule": Place("DELETE", "/api/postern/v1/rules/{id}"),
    "listApiKeys": Place("GET", "/api/postern/v1/keys"),
    "showApiKey": Place("GET", "/api/postern/v1/keys/{id}"),
    "putApiKey": Place("PUT", "/api/postern/v1/keys/{id}"),
    "removeApiKey": Place("DELETE", "/api/postern/v1/keys/{id}"),
    "nextEmail": Place("POST", "/api/postern/v1/emails/next"),
    "sendMessage": Place("POST", "/api/postern/v1/messages"),
    "readEvents": Place("GET", "/api/postern/v1/events"),
    "listImports": Place("GET", "/api/postern/v1/imports"),
    "importDryRun": Place("POST", "/api/postern/v1/imports"),
    "showImport": Place("GET", "/api/postern/v1/imports/{id}"),
    "removeImport": Place("DELETE", "/api/postern/v1/imports/{id}"),
    "startImport": Place("POST", "/api/postern/v1/imports/{id}/start"),
    "listImportRows": Place("GET", "/api/postern/v1/imports/{id}/rows"),
    "showWebhook": Place("GET", "/api/postern/v1/webhook"),
    "putWebhook": Place("PUT", "/api/postern/v1/webhook"),
    "removeWebhook": Place("DELETE", "/api/postern/v1/webhook"),
    "signUp": Place("POST", "/api/v1/users"),
    "resendConfirmation": Place("POST", "/api/v1/resend-confirmation"),
    "replaceRealEmail": Place("POST", "/api/v1/emails/replace"),
    "beginSecondFactor": Place("POST", "/api/v1/2fa-google"),
    "confirmSecondFactor": Place("POST", "/api/v1/confirm-google"),
    "removeSecondFactor": Place("DELETE", "/api/v1/users/remove-2fa"),
    "createContact": Place("POST", "/api/v1/contacts"),
    "listContacts": Place("GET", "/api/v1/proxy-bindings/{id}/contacts"),
}

GRAPH: dict[str, Document] = {
    "listAddresses": Document(False, "query listAddresses($first:Int!$after:String$search:String){proxyBindings(first:$first after:$after search:$search){nodes{id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}pageInfo{hasNextPage endCursor}}}"),
    "showAddress": Document(False, "query showAddress($id:ID!){proxyBinding(id:$id){id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}}"),
    "createAddress": Document(True, "mutation createAddress($input:CreateProxyBindingInput){createProxyBinding(input:$input){isCreated proxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}}}"),
    "updateAddress": Document(True, "mutation updateAddress($id:ID!$input:UpdateProxyBindingInput!){updateProxyBinding(id:$id input:$input){proxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}}}"),
    "removeAddress": Document(True, "mutation removeAddress($id:ID!){deleteProxyBinding(id:$id){id}}"),
    "listContacts": Document(False, "query listContacts($address:ID!$first:Int!$after:String$search:String){proxyBinding(id:$address){contacts(first:$first after:$after search:$search){nodes{id address name reverseAddress isBlocked received sent lastSeenAt}pageInfo{hasNextPage endCursor}}}}"),
    "createContact": Document(True, "mutation createContact($bindingId:ID!$address:String!$name:String){createContact(bindingId:$bindingId address:$address name:$name){contact{id address name reverseAddress isBlocked received sent lastSeenAt}}}"),
    "updateContact": Document(True, "mutation updateContact($id:ID!$name:String$isBlocked:Boolean){updateContact(id:$id name:$name isBlocked:$isBlocked){contact{id address name reverseAddress isBlocked received sent lastSeenAt}}}"),
    "removeContact": Document(True, "mutation removeContact($id:ID!){deleteContact(id:$id){id}}"),
    "listKeys": Document(False, "query listKeys{apiKeys{id name scopes domain targetIds expiresAt lastUsedAt createdAt}}"),
    "createKey": Document(True, "mutation createKey($input:CreateApiKeyInput!){createApiKey(input:$input){key apiKey{id name scopes domain targetIds expiresAt lastUsedAt createdAt}}}"),
    "revokeKey": Document(True, "mutation revokeKey($id:ID!){revokeApiKey(id:$id){id}}"),
}
