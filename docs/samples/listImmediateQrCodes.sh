curl "$BASE_URL/mobile-bff/v1/pix/qrcode/dynamic/immediate?status=ATIVA&limit=20" \
  --header "authorization: Bearer $ACCESS_TOKEN"
