<?php
function call(string $path, array $body, ?string $idempotencyKey = null): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'x-gw: ' . getenv('KEY'),
            'content-type: application/json',
            'idempotency-key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16))),
        ],
        'content' => json_encode($body),
        'ignore_errors' => true,
    ]]);
    $answer = json_decode(file_get_contents(getenv('URL') . $path, false, $context), true);
    if (!$answer['success']) {
        throw new RuntimeException($answer['error']);
    }
    return $answer['data'];
}

$made = call('/api/partner/v1/pcode/bulk', ['productCode' => 'FV01', 'quantity' => 1]);
$code = $made['pcodes'][0];

call('/api/partners/v1/certificate_request', [
    'pCode' => $code,
    'referenceId' => 'orden-1',
    'dni' => '11111111-1',
    'email' => 'juana@example.cl',
    'pin' => '4821',
    'serialNumber' => '111111111',
]);

$claimKey = bin2hex(random_bytes(16));
file_put_contents('claim.key', $claimKey);
$claim = ['p_code' => $code, 'dni' => '11111111-1', 'pin' => '4821'];
$claimed = call('/api/partners/v1/certificate_claim', $claim, $claimKey);
file_put_contents('juana.pfx', base64_decode($claimed['certificate']));

echo $code, "\n";
