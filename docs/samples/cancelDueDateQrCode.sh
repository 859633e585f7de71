curl --request DELETE "$BASE_URL/mobile-bff/v1/pix/qrcode/dynamic/due-date/6cc98439-360d-4452-b3c4-57b4d015a819" \
  --header "authorization: Bearer $ACCESS_TOKEN"
